# What a newcomer types first, and how a wrong line is answered.
"$THRESH" >/dev/null; echo "no command: $?"
"$THRESH" --help >/dev/null; echo "help: $?"
"$THRESH" --version | sed 's/[0-9][0-9.]*$/VERSION/'
"$THRESH" completoin; echo "typo: $?"
"$THRESH" xyzzy; echo "nonsense: $?"
"$THRESH" man --colour; echo "no such option: $?"
"$THRESH" man nothing; echo "no such page: $?"
"$THRESH" man --help
