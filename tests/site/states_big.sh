# As large as petclinic: 150 states, 700 edges, in less than three minutes.
command -v chromium-headless-shell >/dev/null || command -v chromium >/dev/null || { echo "no Chromium: skipped"; exit 0; }
begin=$SECONDS
"$THRESH" states "file://$TESTS/apps/big.html" -o big --json >said 2>log || { cat said log; exit 1; }
grep -q '"end":"EXHAUSTED","states":150,"edges":700,' said || { cat said; exit 1; }
echo "$((SECONDS - begin)) s: $(cat said)"
[ $((SECONDS - begin)) -lt 180 ]
