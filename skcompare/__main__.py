"""``skcompare`` and ``python -m skcompare``."""

from __future__ import annotations

import io
import sys


def main() -> None:
    """Run the command, or say which extra it lacks."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # names may have characters that a console lacks
    try:
        from skcompare.cli import main as cli
    except ImportError as error:
        sys.stderr.write(f"skcompare: error: {error}; the command needs: pip install 'skcompare[cli]'\n")
        sys.exit(3)  # 1 and 2 are answers of check
    except KeyboardInterrupt:
        sys.stderr.write("skcompare: interrupted before the start\n")
        sys.exit(130)
    cli.main()


if __name__ == "__main__":
    main()
