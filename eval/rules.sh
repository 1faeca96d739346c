# URL rules on real clusters: the tables of doc/lab/url-rules.md, and whether the default is good enough.
clusters=$DATA/dust/urls.tsv
[ -e "$clusters" ] || { echo "no $clusters; skipped"; exit 0; }
splits() { "$THRESH" rules eval -m "dustlin+static,dustlin+,static" --repeat 5 "$@" "$clusters" | tail -n +2; }
echo "the default (dustlin+static) and static, five random splits, seeds 1 to 5; two of three folds to learn from:"
splits --folds 3 --pooled
echo "half to learn from:"
splits --folds 2
echo "half to learn from, one label in ten wrong:"
splits --folds 2 --noise 10%
echo "half to learn from, three labels in ten wrong:"
splits --folds 2 --noise 30%
echo "half of the domains to learn from, the other half never seen:"
splits --folds 2 --domains

figure() { # METHOD FIELD OPTIONS...: of all splits together, in percent
	local method=$1 field=$2
	shift 2
	"$THRESH" rules eval -m "$method" --repeat 5 --json "$@" "$clusters" |
		sed "s/.*\"$field\":\([0-9.e-]*\).*/\1/" | awk '{ printf "%.2f", 100 * $1 }'
}
bar() { # WORDS VALUE LEAST
	awk -v words="$1" -v v="$2" -v least="$3" 'BEGIN {
		printf "%-52s %7.2f  bar %7.2f  %s\n", words, v, least, (v + 0 >= least + 0 ? "met" : "NOT MET") }'
}
echo "bars:"
d=dustlin+static np=normalisation_precision
clean=$(figure $d coverage --folds 2)
bar "coverage, two of three folds (static + 3)" "$(figure $d coverage --folds 3 --pooled)" \
	"$(figure static coverage --folds 3 | awk '{ print $1 + 3 }')"
bar "precision, two of three folds" "$(figure $d $np --folds 3 --pooled)" 99
bar "coverage, halves (static + 3)" "$clean" "$(figure static coverage --folds 2 | awk '{ print $1 + 3 }')"
bar "precision, halves" "$(figure $d $np --folds 2)" 99
bar "coverage, 10 % wrong labels (85 % of clean)" "$(figure $d coverage --folds 2 --noise 10%)" \
	"$(awk -v c="$clean" 'BEGIN { print 0.85 * c }')"
bar "precision, 10 % wrong labels" "$(figure $d $np --folds 2 --noise 10%)" 97.5
bar "coverage, 30 % wrong labels (60 % of clean)" "$(figure $d coverage --folds 2 --noise 30%)" \
	"$(awk -v c="$clean" 'BEGIN { print 0.6 * c }')"
bar "precision, 30 % wrong labels" "$(figure $d $np --folds 2 --noise 30%)" 97.5
bar "coverage, domains never seen (static)" "$(figure $d coverage --folds 2 --domains)" \
	"$(figure static coverage --folds 2 --domains)"
bar "precision, domains never seen (static)" "$(figure $d $np --folds 2 --domains)" \
	"$(figure static $np --folds 2 --domains)"

options="--min-freq 2 --min-support 2"
echo "all methods; hosts of two or more clusters, the seed's split, ten times:"
"$THRESH" rules eval $options --within-hosts --repeat 10 --fprs 0,5,10,15,20 "$clusters"
echo "all hosts, trained and validated on two folds of three:"
"$THRESH" rules eval $options --pooled --fprs 0,5,10,15,20 "$clusters"
