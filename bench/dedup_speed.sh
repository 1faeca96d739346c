#!/usr/bin/env bash
# bench/dedup_speed.sh BUILD [DIR] - `thresh dedup` as users run it, on real text: 120 MB of JSON lines mixed from
# the sentences of ten Debian documentation packages, and all their pages (27,800, 1 GB) as a WARC.gz, beside what
# inflating that file alone takes.  Medians of seven.  DIR keeps the packages and the corpora for the next time.
set -eu
[ -x "$1/thresh" ] && [ -x "$1/bench/bench_corpus" ] || { echo "build thresh and bench/bench_corpus in $1 first" >&2; exit 1; }
build=$(realpath "$1") dir=${2:-$(mktemp -d "${TMPDIR:-/tmp}/thresh-dedup.XXXXXX")}
here=$(dirname "$(realpath "$0")")
packages="cppreference-doc-en-html erlang-doc libgtk-3-doc libstdc++-12-doc linux-doc-6.1 openjdk-17-doc
postgresql-doc-15 python-django-doc python3.11-doc qtbase5-doc-html"
mkdir -p "$dir/packages"
cd "$dir"
if [ ! -s mix.jsonl ]; then
	(cd packages && apt-get download -q $packages)
	for package in packages/*.deb; do dpkg -x "$package" unpacked; done
	python3 "$here/pack_pages.py" pages.warc.gz unpacked
	python3 "$here/mix_sentences.py" 120 unpacked 12 >mix.jsonl
fi

# Seconds by the clock, and of processors: medians of seven runs of `thresh dedup` with these words.
median() { sort -n | sed -n 4p; }
measure() {
	cat "${@: -1}" >/dev/null # into the cache
	for _ in 1 2 3 4 5 6 7; do
		/usr/bin/time -a -o times -f '%e %U %S' "$build/thresh" dedup -q -o out.jsonl "$@" || exit 1
	done
	wall=$(cut -d' ' -f1 times | median) cpu=$(awk '{ print $2 + $3 }' times | median)
	rm times
}
row() { # name, MB, seconds of zlib, of libdeflate
	awk -v n="$1" -v mb="$2" -v w="$wall" -v c="$cpu" -v z="${3:-0}" -v d="${4:-0}" 'BEGIN {
		printf "| %s | %.2f | %.2f | %.0f | %.0f |", n, w, c, mb / w, mb / c
		if (z) printf " %.0f %% | %.0f %% |\n", 100 * z / w, 100 * d / w; else print " | |" }'
}

echo "| command | s | processor s | MB/s by the clock | MB/s a core | of zlib, by the clock | of libdeflate |"
echo "|---|---|---|---|---|---|---|"
mb=$(awk -v b="$(stat -c %s mix.jsonl)" 'BEGIN { print b / 1e6 }')
measure --threads 1 -w duplicates mix.jsonl && row "JSON lines, one thread, duplicates" "$mb"
measure --threads 1 mix.jsonl && row "JSON lines, one thread, what is kept" "$mb"
read -r mb zlib libdeflate < <("$build/bench/bench_corpus" --inflate pages.warc.gz)
measure pages.warc.gz && row "WARC.gz, all threads, what is kept" "$mb" "$zlib" "$libdeflate"
measure -w duplicates pages.warc.gz && row "WARC.gz, all threads, duplicates" "$mb" "$zlib" "$libdeflate"
measure --threads 1 pages.warc.gz && row "WARC.gz, one thread, what is kept" "$mb" "$zlib" "$libdeflate"
measure --threads 1 -w duplicates pages.warc.gz && row "WARC.gz, one thread, duplicates" "$mb" "$zlib" "$libdeflate"
awk -v mb="$mb" -v z="$zlib" -v d="$libdeflate" 'BEGIN {
	printf "inflating alone, one thread: zlib %.2f s, %.0f MB/s; libdeflate %.2f s, %.0f MB/s\n", z, mb / z, d, mb / d }'
