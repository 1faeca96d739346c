/* scripts.h - the scripts that run in the page, as text. */
#ifndef OBSERVE_SCRIPTS_H
#define OBSERVE_SCRIPTS_H

#include "base/buf.h"

extern const struct str script_observe;   /* observe.js */
extern const struct str script_listeners; /* listeners.js */
extern const struct str script_find;      /* find.js */
extern const struct str script_act;       /* act.js */
extern const struct str script_fill;      /* fill.js */
extern const struct str script_dom;       /* dom.js */
extern const struct str script_facts;     /* facts.js */
extern const struct str script_check;     /* check.js */
/* `script` as an expression, with dom.js, facts.js and find.js at hand as dom, facts,
 * find. */
void script_add(struct buf *to, struct str script);
#endif
