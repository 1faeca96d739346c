# URL rules on real clusters: the tables of doc/lab/url-rules.md.
clusters=$DATA/dust/urls.tsv
[ -e "$clusters" ] || { echo "no $clusters; skipped"; exit 0; }
options="--min-freq 2 --min-support 2"
echo "hosts of two or more clusters, the seed's split, ten times:"
"$THRESH" rules eval $options --within-hosts --repeat 10 --fprs 0,5,10,15,20 "$clusters"
echo "all hosts, trained and validated on two folds of three:"
"$THRESH" rules eval $options --pooled --fprs 0,5,10,15,20 "$clusters"
