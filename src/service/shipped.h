/* shipped.h - services/NAME.json, built in, so that they are always at hand. */
#ifndef SERVICE_SHIPPED_H
#define SERVICE_SHIPPED_H

#include "base/str.h"

extern const struct str service_archive_org, service_bluesky, service_discourse,
	service_facebook, service_feed, service_flickr, service_gitea, service_github,
	service_hackernews, service_jetstream, service_lemmy, service_mastodon,
	service_mediawiki, service_peertube, service_reddit, service_stackexchange,
	service_wordpress, service_x, service_youtube, service_schema;
#endif
