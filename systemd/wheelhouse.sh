#!/bin/sh
# Collects everything that `install.sh --wheelhouse DIR` needs, for this kind of machine and this Python:
#
#   systemd/wheelhouse.sh DIR
set -eu
[ $# = 1 ] || { echo "usage: $0 DIR" >&2; exit 2; }
source=$(cd "$(dirname "$0")/.." && pwd)
mkdir -p "$1"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/venv"
python3 "$source/systemd/needed.py" > "$work/bounds.txt" # the versions that go with this system
"$work/venv/bin/python" -m pip wheel --quiet --constraint "$work/bounds.txt" --wheel-dir "$1" "$source"
echo "$1: $(find "$1" -name '*.whl' | wc -l) wheels"
