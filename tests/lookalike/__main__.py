"""The server as a process of its own: ``python -m tests.lookalike`` prints its address and serves."""

import argparse
import sys

from tests.lookalike.server import LookAlike


def main() -> None:
    """Serve until the standard input closes."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--latency", type=float, default=0.0, help="seconds before each answer")
    with LookAlike(latency=parser.parse_args().latency) as server:
        print(server.url, flush=True)
        sys.stdin.read()


if __name__ == "__main__":
    main()
