# The scripts must be ones that the shells accept, and must complete commands, options and values.
set -eu
"$THRESH" completion >c.bash
"$THRESH" completion bash | cmp - c.bash
bash -n c.bash
complete_bash() { # WORDS... - what the last of them can become
	bash -c 'source ./c.bash; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _thresh; echo "${COMPREPLY[*]}"' - thresh "$@"
}
is() { [ "$1" = "$2" ] || { echo "got '$1', want '$2'"; exit 1; }; }
is "$(complete_bash compl)" completion
is "$(complete_bash warc wa)" wacz
is "$(complete_bash warc wacz --ti)" --title
is "$(complete_bash crawl --max-pa)" --max-pages
is "$(complete_bash warc cat --part pay)" payload
is "$(complete_bash warc cat -p he)" head
touch seeds.txt
is "$(complete_bash crawl see)" seeds.txt

"$THRESH" completion zsh >_thresh
"$THRESH" completion fish >thresh.fish
if command -v zsh >/dev/null; then zsh -n _thresh; fi
if command -v fish >/dev/null; then fish -n thresh.fish; fi
# every option of every command is in all of them
"$THRESH" completion bash | grep -o -- '--[a-z0-9-]*' | grep -v -- '^--$\|--help' | sort -u >options
while read -r option; do
	grep -q -- "$option" _thresh && grep -q -- "-l ${option#--}\b" thresh.fish || { echo "$option is missing"; exit 1; }
done <options
grep -q "'__fish_seen_subcommand_from warc; and __fish_seen_subcommand_from cat' -l part -s p -x -a 'record block head payload'" thresh.fish
if "$THRESH" completion tcsh 2>/dev/null; then exit 1; fi
"$THRESH" -V | grep -q '^thresh [0-9]'
