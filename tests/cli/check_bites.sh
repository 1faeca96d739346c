# `make check` must fail on a layer violation, a missing manual page, an unformatted
# file, an oversized function and an unregistered test: each is planted in a copy.
tree=$(dirname "$TESTS")
copy() {
	rm -rf copy
	mkdir copy
	(cd "$tree" && tar -c --exclude=./build --exclude='./build*' --exclude=./.git .) | tar -x -C copy
}
expect_failure() {
	if "${@:2}" >said 2>&1; then
		echo "$1: not noticed"
		exit 1
	fi
	echo "$1: noticed"
}
copy
(cd copy && python3 tools/check_layers.py && python3 tools/check_rooms.py) >said 2>&1 || { echo "the tree itself:"; cat said; }
echo '#include "cmd/command.h"' >> copy/src/base/str.c
expect_failure "layer violation" python3 copy/tools/check_layers.py
echo 'int   main( void );' >> copy/src/base/map.c
expect_failure "unformatted file" clang-format --dry-run -Werror copy/src/base/map.c
{ echo 'void f(void)'; echo '{'; yes '	;' | head -200; echo '}'; } > copy/src/base/long.c
expect_failure "long function" sh -c 'cd copy && python3 tools/check_sizes.py src/base/long.c'
expect_failure "file in no build" python3 copy/tools/check_rooms.py
rm copy/src/base/long.c
echo 'int main(void);' > copy/tests/unit/test_forgotten.c
expect_failure "unregistered test" python3 copy/tools/check_rooms.py
cat > without-a-page <<S
#!/bin/sh
[ "\$1 \$2" = "man completion" ] && exit 2
exec "$THRESH" "\$@"
S
chmod +x without-a-page
expect_failure "missing manual page" env UPDATE= TMPDIR="$TMP" "$TESTS/cli/run.sh" ./without-a-page "$TESTS/cli/manpages.sh"
