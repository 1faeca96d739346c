/* scripts.h - the scripts that run in a rendered page, as text. */
#ifndef RENDER_SCRIPTS_H
#define RENDER_SCRIPTS_H

#include "base/str.h"

extern const struct str render_script_page;      /* page.js */
extern const struct str render_script_listeners; /* listeners.js */
extern const struct str render_script_globals;   /* globals.js */
extern const struct str render_script_watch;     /* watch.js */
#endif
