# CSV goes to spreadsheets: what they would compute gets a ' in front; numbers and all else stay.
set -eu
is() { [ "$1" = "$2" ] || { echo "got '$1', want '$2'"; exit 1; }; }
printf '' >none.nt
csv() { "$THRESH" kb query --data none.nt --format csv "SELECT ?x { VALUES ?x { $1 } }" | tr -d '\r' | tail -n +2; }
is "$(csv '"=cmd|A0"')" "'=cmd|A0"
is "$(csv '"@SUM(1)"')" "'@SUM(1)"
is "$(csv '"-2+3+cmd"')" "'-2+3+cmd"
is "$(csv '"=1,2"')" "\"'=1,2\""
is "$(csv '-5')" "-5"
is "$(csv '"+1.5e3"')" "+1.5e3"
is "$(csv '"plain = text"')" "plain = text"
is "$(csv '<http://e.org/=x>')" "http://e.org/=x"
