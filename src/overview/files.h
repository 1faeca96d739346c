/* files.h - the files of the overview, as text. */
#ifndef OVERVIEW_FILES_H
#define OVERVIEW_FILES_H

#include "base/str.h"

extern const struct str overview_index;    /* index.html */
extern const struct str overview_css;      /* overview.css */
extern const struct str overview_simulate; /* simulate.js */
extern const struct str overview_script;   /* overview.js */
#endif
