# The template fingerprint on labelled states of one application, over all thresholds.
"$BUILD/bench/eval_states" "$DATA"
