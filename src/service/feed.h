/*
 * feed.h - RSS and Atom as JSON Feed, so that one description reads all three.
 *
 * {"title", "home_page_url", "items": [{"id", "url", "title", "content_html", "summary",
 * "date_published", "date_modified", "author", "tags": [], "attachment"}]}.  Pure.
 */
#ifndef SERVICE_FEED_H
#define SERVICE_FEED_H

#include "base/json.h"

must_use enum status feed_to_json(struct str xml, struct json **ret, struct diag *why);
#endif
