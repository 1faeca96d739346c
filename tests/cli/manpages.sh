# Every command has a page that mandoc finds no fault with, and every option stands in it.
lint() {
	mandoc -T lint -W warning "$1" 2>&1 | grep -v -e 'missing date' -e 'lower case character' && exit 1
	return 0
}
"$THRESH" man > page.1 || exit 1
lint page.1
for command in $("$THRESH" --help | sed -n 's/^  \([a-z]*\) .*/\1/p'); do
	"$THRESH" man "$command" > page.1 || exit 1
	lint page.1
	mandoc -T ascii page.1 | col -b > page.txt
	"$THRESH" "$command" --help | grep -o -e '^  .. *--[][a-z-]*' | grep -o -e '--.*' | sed 's/\[no-\]//' | sort -u > options.txt
	while read -r option; do
		grep -q -e "$option" page.txt || { echo "$command: $option is not in the page"; exit 1; }
	done < options.txt
done
