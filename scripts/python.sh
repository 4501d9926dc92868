#!/bin/sh
# Prints the first Python on this machine that Affidavit runs on, or says why there is none.
# PYTHON in the environment is tried alone.
set -u

fits() {
    "$1" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1
}

if [ -n "${PYTHON:-}" ]; then
    if fits "$PYTHON"; then
        printf '%s\n' "$PYTHON"
        exit 0
    fi
    echo "PYTHON is set to '$PYTHON', which is not a Python 3.11 or newer." >&2
    exit 1
fi

for name in python3 python3.13 python3.12 python3.11 python3.14 python; do
    if fits "$name"; then
        command -v "$name"
        exit 0
    fi
done

echo "Affidavit needs Python 3.11 or newer, and found none on the PATH." >&2
if found=$(python3 --version 2>&1); then
    echo "The python3 here is $found." >&2
fi
echo "Install one (Debian, Ubuntu: apt-get install python3 python3-venv), or say where it is:" >&2
echo "  make PYTHON=/path/to/python3.12 ..." >&2
exit 1
