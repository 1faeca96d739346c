#include "service/catalog.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "os/file.h"
#include "service/shipped.h"

#define ROW(name)                      \
	{                              \
#name, &service_##name \
	}

const struct shipped_service shipped_services[] = {
	ROW(archive_org), ROW(bluesky),   ROW(discourse), ROW(facebook),
	ROW(feed),        ROW(flickr),    ROW(gitea),     ROW(github),
	ROW(hackernews),  ROW(jetstream), ROW(lemmy),     ROW(mastodon),
	ROW(mediawiki),   ROW(peertube),  ROW(reddit),    ROW(stackexchange),
	ROW(wordpress),   ROW(x),         ROW(youtube),   { NULL, NULL },
};

void catalog_release(struct catalog *c)
{
	for (size_t i = 0; i < c->n; i++) {
		api_service_release(c->v[i]);
		free(c->v[i]);
	}
	free(c->v);
	*c = (struct catalog){ 0 };
}

static bool is_path(struct str name)
{
	return str_find_char(name, '/') != STR_NONE || str_ends(name, STR(".json"));
}

enum status catalog_text(const struct catalog *c, struct str name, struct buf *to,
			 struct diag *why)
{
	cleanup(buf_release) struct buf path = { 0 };
	size_t at = to->n;

	buf_add(&path, name);
	if (is_path(name) && c->only_names)
		return diag_fail(why, ST_NOT_FOUND,
				 "'" STR_FMT "' is no name of a service", STR_ARG(name));
	if (is_path(name))
		return file_load(buf_cstr(&path), DOC_MAX_BYTES, to, why);
	buf_reset(&path);
	if (c->dir) {
		buf_addf(&path, "%s/" STR_FMT ".json", c->dir, STR_ARG(name));
		if (file_exists(buf_cstr(&path)))
			return file_load(buf_cstr(&path), DOC_MAX_BYTES, to, why);
	}
	for (const struct shipped_service *s = shipped_services; s->name; s++)
		if (str_eq(name, str_from(s->name)))
			buf_add(to, *s->text);
	if (to->n > at)
		return ST_OK;
	return diag_fail(why, ST_NOT_FOUND,
			 "there is no service '" STR_FMT
			 "'; 'thresh api list' names them",
			 STR_ARG(name));
}

enum status catalog_find(struct catalog *c, struct str name,
			 const struct api_service **ret, struct diag *why)
{
	cleanup(buf_release) struct buf text = { 0 };
	cleanup(doc_release) struct api_doc d = { 0 };
	struct api_service s;

	for (size_t i = 0; i < c->n; i++)
		if (str_eq(c->v[i]->name, name)) {
			*ret = c->v[i];
			return ST_OK;
		}
	TRY(catalog_text(c, name, &text, why));
	TRY(doc_parse(&d, name, buf_str(&text), why));
	TRY(api_service_parse(&d, &s, why));
	struct api_service *kept = NEW(struct api_service);
	*kept = s;
	VEC_ADD(c->v, c->n, c->cap, kept);
	*ret = kept;
	return ST_OK;
}
