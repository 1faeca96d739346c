# The script must be one that bash accepts, and must complete a command.
"$THRESH" completion > c.bash
bash -n c.bash || exit 1
bash -c 'source ./c.bash; COMP_WORDS=(thresh compl); COMP_CWORD=1; _thresh; [ "${COMPREPLY[*]}" = completion ]' || exit 1
