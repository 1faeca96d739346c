#!/usr/bin/env bash
# Answers of `thresh kb` against those of rdflib; its graphs are generated, so it needs no data.
set -u
python=/usr/bin/python3 # that of the distribution, which python3-rdflib is for
if ! $python -c 'import rdflib' 2>/dev/null; then
	echo "kb: python3-rdflib is not installed; skipped"
	exit 0
fi
exec $python "$(dirname "$0")/kb_oracle.py" "$THRESH" "$BUILD/bench/gen_graph" "${QUERIES:-150}"
