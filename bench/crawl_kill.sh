#!/usr/bin/env bash
# crawl_kill.sh THRESH [KILLS] - the kill test of tests/site, a hundred times and at other instants.
set -u
here=$(dirname "$(realpath "$0")")
KILLS=${2:-100} SEED=${SEED:-7} "$here/../tests/cli/run.sh" "$1" "$here/../tests/site/crawl_kill.sh" && echo "${2:-100} kills: nothing lost, nothing twice, every file valid"
