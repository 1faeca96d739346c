/* filter.h - what a template does to a value before it is used: see template.h.  Pure. */
#ifndef SERVICE_FILTER_H
#define SERVICE_FILTER_H

#include "service/template.h"

extern const struct str filter_names[FILTERS];

/* Every filter but FILTER_LINKS. */
void filter_apply(const struct filter *f, struct str value, struct buf *to);
/* Take the next http(s) URL from a text or HTML; in `scratch` where it was escaped. */
bool filter_next_link(struct str *in, struct buf *scratch, struct str *ret);
/* RFC 3339, HTTP and mail dates, seconds or milliseconds since 1970, 14 digits. */
bool time_parse_any(struct str s, int64_t *ret_ms);
#endif
