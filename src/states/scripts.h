/* scripts.h - the scripts that run in the page, and the overview's files, as text. */
#ifndef STATES_SCRIPTS_H
#define STATES_SCRIPTS_H

#include "base/str.h"

extern const struct str script_observe; /* observe.js */
extern const struct str script_act;     /* act.js */
extern const struct str script_fill;    /* fill.js */
#endif
