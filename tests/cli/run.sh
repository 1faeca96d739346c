#!/usr/bin/env bash
# run.sh THRESH SCRIPT - run one command-line test in a fresh folder.
# It must end with 0.  Where SCRIPT's name with .out exists, stdout and stderr together must
# equal it (the fresh folder's name reads as TMP there); UPDATE=1 writes it instead.
# Without .out the output is shown when it fails.
set -u
THRESH=$(realpath "$1") script=$(realpath "$2")
expected=${script%.sh}.out
TMP=$(mktemp -d "${TMPDIR:-/tmp}/thresh-test.XXXXXX")
trap 'rm -rf "$TMP"' EXIT
TESTS=$(dirname "$(dirname "$script")")
export THRESH TMP TESTS LC_ALL=C NO_COLOR=1
cd "$TMP" || exit 1
bash "$script" >"$TMP/.output" 2>&1 </dev/null
code=$?
sed -i "s|$TMP|TMP|g" "$TMP/.output"
if [ "${UPDATE:-}" = 1 ]; then
	cp "$TMP/.output" "$expected"
	exit $code
fi
if [ ! -e "$expected" ]; then
	[ $code -eq 0 ] || cat "$TMP/.output"
	exit $code
fi
diff -u "$expected" "$TMP/.output" || exit 1
[ $code -eq 0 ] || echo "the output is right, but the script ended with $code"
exit $code
