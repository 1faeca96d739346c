/*
 * wappalyzer.h - fingerprints in the format of Wappalyzer, as descriptions.
 *
 * Detection only: url, headers, cookies, meta, scriptSrc, text, html and those of `dom`
 * that are single selectors.  What needs a browser (js, xhr, dns, css) is left out and
 * counted.  "\;confidence:N" becomes a weight; "\;version:" is dropped.  Pure.
 */
#ifndef APPS_WAPPALYZER_H
#define APPS_WAPPALYZER_H

#include "base/buf.h"
#include "base/json.h"

struct wappalyzer_counts {
	size_t applications, patterns, left_out, bad;
};

/*
 * The XML of one technology; nothing when none of its patterns can be used.
 */
void wappalyzer_description(struct str name, const struct json *technology,
			    struct buf *to, struct wappalyzer_counts *counts);
/* "Apache HTTP Server" as "apache-http-server". */
void wappalyzer_id(struct str name, struct buf *to);
#endif
