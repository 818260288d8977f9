"""The command ``graphstrata``: results on stdout, progress on stderr, errors in three lines, documented exit codes."""

import atexit
import gc


def main() -> None:
    """Run the command. Everything heavy is imported by the commands that need it."""
    from pipeline.base.release_memory import look_seldom_for_cycles
    from pipeline.cli.terminal import use_lean_allocator, use_utf8

    use_utf8()
    use_lean_allocator()
    look_seldom_for_cycles()
    atexit.register(gc.freeze)  # else Python looks for cycles as it ends: 0.4 s after an index of 6,000 passages
    from pipeline.cli.app import run

    run()
