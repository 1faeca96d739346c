/* shipped.h - the descriptions of apps/, built in (tools/embed_apps.py). */
#ifndef APPS_SHIPPED_H
#define APPS_SHIPPED_H

#include "base/str.h"

struct shipped_app {
	const char *name; /* "phpbb.xml" */
	const struct str *text;
};

extern const struct shipped_app shipped_apps[];
extern const size_t shipped_apps_n;
#endif
