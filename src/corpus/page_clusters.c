#include "corpus/page_clusters.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/hash.h"
#include "base/json.h"
#include "dust/token.h"
#include "os/file.h"
#include "os/map_file.h"
#include "page/page.h"
#include "url/normal.h"
#include "warc/warc_http.h"

/* A page of more than this is not opened for its canonical tag. */
#define BLOCK_MAX ((size_t)16 << 20)

void page_clusters_release(struct page_clusters *c)
{
	intern_release(&c->urls);
	free(c->parent);
	free(c->fetched);
	map_release(&c->digests);
	buf_release(&c->normal[0]);
	buf_release(&c->normal[1]);
	buf_release(&c->block);
	buf_release(&c->body);
	arena_release(&c->page);
	if (c->check_dir[0]) {
		page_check_release(&c->check);
		(void)!dir_remove(c->check_dir, NULL);
	}
	*c = (struct page_clusters){ 0 };
}

static enum status open_check(struct page_clusters *c, struct diag *why)
{
	snprintf(c->check_dir, sizeof(c->check_dir), "/tmp/thresh-near.XXXXXX");
	if (!mkdtemp(c->check_dir)) {
		c->check_dir[0] = '\0';
		return diag_fail(why, ST_IO, "cannot make a folder in /tmp");
	}
	return page_check_open(&c->check,
			       &(struct dup_index_options){ .dir = c->check_dir }, why);
}

static uint32_t add_url(struct page_clusters *c, struct str href)
{
	size_t known = c->urls.n;
	uint32_t id = intern_add(&c->urls, href);

	if (id == known) {
		VEC_RESERVE(c->parent, c->parent_cap, known + 1);
		VEC_RESERVE(c->fetched, c->fetched_cap, known + 1);
		c->parent[id] = id;
		c->fetched[id] = false;
	}
	return id;
}

static uint32_t root_of(struct page_clusters *c, uint32_t id)
{
	while (c->parent[id] != id)
		id = c->parent[id] = c->parent[c->parent[id]];
	return id;
}

static void join(struct page_clusters *c, uint32_t a, uint32_t b)
{
	c->parent[root_of(c, b)] = root_of(c, a);
}

/* robots.txt is fetched of every host, alike on many, and is no page of any. */
static bool parse(struct page_clusters *c, struct str text, const struct url *base,
		  struct url *ret)
{
	return url_parse_normal(text, base, NORMAL_STANDARD, c->normal, ret, NULL) ==
		       ST_OK &&
	       url_is_http(ret) && !str_eq(ret->path, STR("/robots.txt"));
}

/* `text` is another name of the page, relative to it. */
static void join_target(struct page_clusters *c, uint32_t id, struct str text)
{
	struct buf scratch[2] = { { 0 }, { 0 } };
	struct url base, target;

	if (text.n > 0 &&
	    url_parse_normal(intern_str(&c->urls, id), NULL, NORMAL_STANDARD, scratch,
			     &base, NULL) == ST_OK &&
	    parse(c, text, &base, &target))
		join(c, id, add_url(c, url_without_fragment(&target)));
	buf_release(&scratch[0]);
	buf_release(&scratch[1]);
}

static void join_digest(struct page_clusters *c, uint32_t id, struct str digest)
{
	bool new;
	uint64_t *first = map_add(&c->digests, hash64(digest), &new);

	if (new)
		*first = id;
	else
		join(c, (uint32_t)*first, id);
}

/* As the crawl asks: without the host's template, and only what was verified counts. */
static enum status join_near(struct page_clusters *c, uint32_t id,
			     const struct page *page, struct diag *why)
{
	struct str url = intern_str(&c->urls, id);
	struct str *blocks =
		arena_alloc(&c->page, (page->n_blocks + 1) * sizeof(*blocks));
	struct page_answer a;

	for (size_t i = 0; i < page->n_blocks; i++)
		blocks[i] = page->blocks[i].text;
	TRY(page_check_see(&c->check,
			   &(struct checked_page){ .url = url,
						   .host = dust_host(url),
						   .blocks = blocks,
						   .n_blocks = page->n_blocks,
						   .is_there = true },
			   &a, why));
	if (a.verdict.kind == VERDICT_EXACT || a.verdict.kind == VERDICT_NEAR)
		join(c, add_url(c, a.verdict.representative_url), id);
	return ST_OK;
}

static enum status take_page(struct page_clusters *c, uint32_t id,
			     const struct warc_http *http, struct str digest,
			     struct diag *why)
{
	struct page page;
	struct page_options options = { .no_guesses = true, .no_language = true };
	struct str type = stored_head_field(&http->head, STR("content-type"));

	buf_reset(&c->body);
	if (warc_http_decode(http, &c->body) != ST_OK && c->body.n == 0)
		return ST_OK;
	c->fetched[id] = true;
	if (c->digest && c->body.n > 0)
		join_digest(c, id, digest.n > 0 ? digest : buf_str(&c->body));
	if (!c->canonical && !c->near)
		return ST_OK;
	arena_reset(&c->page);
	page_parse(&(struct page_input){ .body = buf_str(&c->body),
					 .content_type = type,
					 .url = intern_str(&c->urls, id) },
		   &options, &c->page, &page);
	if (c->canonical)
		join_target(c, id, page.canonical);
	return c->near && page.n_blocks > 0 ? join_near(c, id, &page, why) : ST_OK;
}

static enum status take_record(struct page_clusters *c, struct warc_reader *r,
			       const struct warc_record *rec, struct diag *why)
{
	struct str uri = warc_bare_uri(warc_field(rec, STR("WARC-Target-URI")));
	cleanup(buf_release) struct buf digest = { 0 };
	struct warc_http http;
	struct url u;

	if ((rec->type != WARC_RESPONSE && rec->type != WARC_REVISIT) ||
	    !warc_is_http(rec) || !parse(c, uri, NULL, &u))
		return ST_OK;
	uint32_t id = add_url(c, url_without_fragment(&u));
	buf_add(&digest, warc_field(rec, STR("WARC-Payload-Digest")));
	bool revisit = rec->type == WARC_REVISIT;
	enum status st = warc_http_read(r, BLOCK_MAX, &c->block, &http, why);
	if (st == ST_TOO_LARGE)
		return ST_OK;
	TRY(st);
	if (c->redirect && http.head.status >= 300 && http.head.status < 400)
		join_target(c, id, stored_head_field(&http.head, STR("location")));
	if (http.head.status != 200)
		return ST_OK;
	if (!revisit) {
		TRY(take_page(c, id, &http, buf_str(&digest), why));
	} else if (c->digest && digest.n > 0) {
		c->fetched[id] = true;
		join_digest(c, id, buf_str(&digest));
	}
	return ST_OK;
}

static enum status take_warc(struct page_clusters *c, const char *path, struct diag *why)
{
	cleanup(warc_reader_release) struct warc_reader r = { 0 };
	struct warc_record *rec;
	enum status st;

	TRY(warc_reader_open(&r, path, why));
	while ((st = warc_next(&r, &rec, why)) == ST_OK)
		TRY(take_record(c, &r, rec, why));
	return st == ST_AGAIN ? ST_OK : st;
}

/* A line of CDXJ or of JSON lines: {"url": ..., "digest": ..., "status": "200"}. */
static void take_line(struct page_clusters *c, struct str line)
{
	cleanup(json_release) struct json *root = NULL;
	size_t brace = str_find_char(line, '{');
	struct url u;

	if (brace == STR_NONE ||
	    json_parse(str_skip(line, brace), &root, NULL) != ST_OK ||
	    !parse(c, json_str(json_get(root, "url")), NULL, &u))
		return;
	struct str status = json_str(json_get(root, "status"));
	struct str digest = json_str(json_get(root, "digest"));
	if (status.n > 0 && !str_eq(status, STR("200")))
		return;
	uint32_t id = add_url(c, url_without_fragment(&u));
	c->fetched[id] = true;
	if (c->digest && digest.n > 0)
		join_digest(c, id, digest);
}

void page_clusters_add_lines(struct page_clusters *c, struct str text)
{
	struct str line;

	while (str_take_line(&text, &line))
		take_line(c, line);
}

static enum status take_lines(struct page_clusters *c, const char *path, struct diag *why)
{
	cleanup(map_file_release) struct map_file map = { 0 };

	TRY(map_file_open(&map, path, MAP_SEQUENTIAL, why));
	page_clusters_add_lines(c, map.bytes);
	return ST_OK;
}

enum status page_clusters_add_file(struct page_clusters *c, const char *path,
				   struct diag *why)
{
	struct str name = str_from(path);

	if (c->near && !c->check_dir[0])
		TRY(open_check(c, why));
	if (str_ends(name, STR(".cdxj")) || str_ends(name, STR(".jsonl")))
		return take_lines(c, path, why);
	return take_warc(c, path, why);
}

bool page_clusters_set_evidence(struct page_clusters *c, struct str name)
{
	bool *which = str_eq(name, STR("digest"))      ? &c->digest
		      : str_eq(name, STR("canonical")) ? &c->canonical
		      : str_eq(name, STR("redirect"))  ? &c->redirect
		      : str_eq(name, STR("near"))      ? &c->near
						       : NULL;

	if (which)
		*which = true;
	return which != NULL;
}

struct clustered_url *page_clusters_list(struct page_clusters *c)
{
	uint32_t *size = xcalloc(c->urls.n + 1, sizeof(*size));
	struct clustered_url *v = xcalloc(c->urls.n + 1, sizeof(*v));

	for (uint32_t i = 0; i < c->urls.n; i++)
		size[root_of(c, i)]++;
	for (uint32_t i = 0; i < c->urls.n; i++)
		v[i] = (struct clustered_url){ .url = intern_str(&c->urls, i),
					       .cluster = root_of(c, i) + 1,
					       .alone = size[root_of(c, i)] < 2,
					       .fetched = c->fetched[i] };
	free(size);
	return v;
}
