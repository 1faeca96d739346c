# Every method on the labelled pairs, pages with known edits, and states; then the default's probability on more
# sets, and different documents inside one template.  DOCS: a folder made by tools/fetch_docs, for real pages, too.
"$BUILD/bench/eval_neardup" "$DATA"
python3 eval/verdict.py "$BUILD/bench/eval_verdict" "$THRESH" "$DATA" ${DOCS:+--docs "$DOCS"}
python3 eval/templates.py "$THRESH"
