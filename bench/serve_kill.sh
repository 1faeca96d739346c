#!/usr/bin/env bash
# serve_kill.sh THRESH [KILLS] - kill -9 during injection, 100 times: nothing that was acknowledged is lost.
KILLS=${2:-100} exec "$(dirname "$0")/../tests/cli/run.sh" "$1" "$(dirname "$0")/../tests/site/serve_kill.sh"
