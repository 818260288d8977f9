"""The command ``graphstrata``: results on stdout, progress on stderr, errors in three lines, documented exit codes."""


def main() -> None:
    """Run the command. Everything heavy is imported by the commands that need it."""
    from pipeline.base.release_memory import end_without_cycles, look_seldom_for_cycles
    from pipeline.cli.terminal import use_lean_allocator, use_utf8

    use_utf8()
    use_lean_allocator()
    look_seldom_for_cycles()
    end_without_cycles()
    from pipeline.cli.app import run

    run()
