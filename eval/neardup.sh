# Every method on the labelled pairs, pages with known edits, and states.
"$BUILD/bench/eval_neardup" "$DATA"
