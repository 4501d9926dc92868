"""The command line `affidavit`.

Every verb takes `--db`, `--user`, `--agent`, `--team` and `-o json|text`. With `json` (the default where
stdout is not a terminal) stdout holds exactly one JSON object; whatever is said to people goes to stderr.
Exit codes: 0 done, 1 the check failed (import: not all was taken), 2 bad input, 3 trouble with provider or storage.
"""

import sys


def main() -> None:
    """The entry point: runs the command that the arguments name, then exits with its code."""
    from affidavit.surfaces.cli.run import run

    sys.exit(run(sys.argv[1:]))
