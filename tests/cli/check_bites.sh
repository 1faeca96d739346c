# `make check` must fail on a layer violation, a grant that nobody uses, a missing manual page,
# an unformatted file, an oversized function, room or command, a comparison with a word meant
# for people and an unregistered test: each is planted in a copy.
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
(cd copy && python3 tools/check_layers.py && python3 tools/check_rooms.py &&
	python3 tools/check_room_sizes.py && python3 tools/check_words.py) >said 2>&1 || { echo "the tree itself:"; cat said; }
echo '#include "cmd/command.h"' >> copy/src/base/str.c
expect_failure "layer violation" python3 copy/tools/check_layers.py
cp "$tree/src/base/str.c" copy/src/base/str.c
sed -i 's/^sparql: .*/& store/' copy/src/LAYERS
expect_failure "unused grant" python3 copy/tools/check_layers.py
plant() { # what, room, line: planted in a file of that room
	printf 'static bool f(void)\n{\n\t%s\n}\n' "$3" > "copy/src/$2/planted.c"
	expect_failure "$1" python3 copy/tools/check_words.py
	rm "copy/src/$2/planted.c"
}
plant "compared with a reason's word" frontier 'return str_eq(rule, STR("off-site"));'
plant "compared with a purpose's word" crawl 'return str_starts(why, STR("rule-probe"));'
plant "compared with a table's word" policy 'return str_eq(reason_table[r].word,
		word);'
plant "a state by its name" crawl 'return strcmp(state, "in flight") == 0;'
plant "a reason from its words" crawl 'return reason_find(stage, word) == REASON_MIME;'
printf '%s\n' 'static bool f(void) { return str_eq(scheme, STR("ftp:")); } /* "off-site" */' > copy/src/crawl/planted.c
python3 copy/tools/check_words.py || echo "a harmless comparison is not let through"
rm copy/src/crawl/planted.c
yes '/* */' | head -300 > copy/src/cmd/planted.c
expect_failure "long command" python3 copy/tools/check_room_sizes.py
rm copy/src/cmd/planted.c
yes '/* */' | head -900 | tee copy/src/query/planted.c > copy/src/hosts/planted.c
expect_failure "known exception grows" python3 copy/tools/check_room_sizes.py
rm copy/src/query/planted.c
for i in 1 2 3 4 5 6; do cp copy/src/hosts/planted.c copy/src/hosts/planted$i.c; done
expect_failure "large room" python3 copy/tools/check_room_sizes.py
rm copy/src/hosts/planted*.c
for i in $(seq 40); do : > copy/src/hosts/planted$i.h; done
expect_failure "room of many files" python3 copy/tools/check_room_sizes.py
rm copy/src/hosts/planted*.h
echo 'src/hosts 5100 41' >> copy/tools/known_sizes
expect_failure "exception that is none" python3 copy/tools/check_room_sizes.py
echo 'int   main( void );' >> copy/src/base/map.c
expect_failure "unformatted file" clang-format --dry-run -Werror copy/src/base/map.c
{ echo 'void f(void)'; echo '{'; yes '	;' | head -200; echo '}'; } > copy/src/base/long.c
expect_failure "long function" sh -c 'cd copy && python3 tools/check_sizes.py src/base/long.c'
expect_failure "file in no build" python3 copy/tools/check_rooms.py
rm copy/src/base/long.c
echo 'int main(void);' > copy/tests/unit/test_forgotten.c
expect_failure "unregistered test" python3 copy/tools/check_rooms.py
rm copy/tests/unit/test_forgotten.c
echo 'See `policy/no_such_file.h`.' >> copy/doc/crawl.md
expect_failure "document names no file" python3 copy/tools/check_rooms.py
cat > without-a-page <<S
#!/bin/sh
[ "\$1 \$2" = "man completion" ] && exit 2
exec "$THRESH" "\$@"
S
chmod +x without-a-page
expect_failure "missing manual page" env UPDATE= TMPDIR="$TMP" "$TESTS/cli/run.sh" ./without-a-page "$TESTS/cli/manpages.sh"
