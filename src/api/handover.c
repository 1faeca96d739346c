#include "api/handover.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "control/inbox.h"
#include "url/url.h"

#define READ_MOST ((size_t)1 << 20)
#define RETRY_MS  1000

void handover_release(struct handover *h)
{
	free(h->crawl_dir);
	free(h->handed);
	free(h->sending);
	*h = (struct handover){ 0 };
}

/* --- how far --- */

static char *mark_path(const struct campaign_folder *f, struct arena *a)
{
	return path_join(a, f->dir, STR("state/handed"));
}

/* "BYTES FOLDER": another crawl gets all of them. */
static uint64_t load_mark(const struct handover *h, const struct campaign_folder *f)
{
	cleanup(arena_release) struct arena a = { 0 };
	cleanup(buf_release) struct buf text = { 0 };
	char *path = mark_path(f, &a);
	uint64_t v;

	if (!file_exists(path) || file_load(path, 8192, &text, NULL) != ST_OK)
		return 0;
	struct str s = str_trim(buf_str(&text));
	if (!str_take_uint(&s, UINT64_MAX / 2, &v) || !str_take_char(&s, ' ') ||
	    !str_eq(s, str_from(h->crawl_dir)))
		return 0;
	return MIN(v, f->committed[LIST_LINKS]);
}

/* Best effort: a link that is handed over twice is harmless. */
static void save_mark(const struct handover *h, const struct campaign_folder *f,
		      uint64_t bytes)
{
	cleanup(arena_release) struct arena a = { 0 };
	cleanup(buf_release) struct buf text = { 0 };

	buf_add_uint(&text, bytes);
	buf_addf(&text, " %s\n", h->crawl_dir);
	if (file_replace(mark_path(f, &a), buf_str(&text), NULL) != ST_OK)
		return;
}

enum status handover_open(struct handover *h, const char *crawl_dir,
			  const struct campaign_folder *folders, size_t n,
			  struct diag *why)
{
	cleanup(arena_release) struct arena a = { 0 };

	if (!dir_exists(path_join(&a, crawl_dir, STR("state"))))
		return diag_fail(why, ST_NOT_FOUND, "%s is no folder of a crawl",
				 crawl_dir);
	*h = (struct handover){ .crawl_dir = strdup(crawl_dir), .n = n };
	h->handed = xcalloc(n + 1, sizeof(*h->handed));
	h->sending = xcalloc(n + 1, sizeof(*h->sending));
	for (size_t i = 0; i < n; i++)
		h->handed[i] = load_mark(h, &folders[i]);
	return ST_OK;
}

/* --- what --- */

bool handover_parse(struct str line, struct buf *url, double *ret_score)
{
	cleanup(json_release) struct json *v = NULL;

	if (json_parse(line, &v, NULL) != ST_OK)
		return false;
	struct str text = json_str(json_get(v, "url"));
	buf_reset(url);
	buf_add(url, text);
	*ret_score = json_number(json_get(v, "score"), 0.5);
	return text.n > 0;
}

struct batch {
	struct buf demands, body; /* for the inbox; for HTTP */
	struct json_out json;
	uint64_t end; /* in links.jsonl */
};

static void batch_release(struct batch *b)
{
	buf_release(&b->demands);
	buf_release(&b->body);
}

static void batch_add(struct batch *b, struct str url, double score)
{
	demand_encode(&(struct demand){ .kind = DEMAND_URL,
					.has_score = true,
					.score = score,
					.text = url },
		      &b->demands);
	json_open(&b->json, '{');
	json_put_str(&b->json, "url", url);
	json_put_double(&b->json, "score", score);
	json_close(&b->json, '}');
}

/* Posts have much that begins with http: and is none; one would spoil the whole batch. */
static bool is_url(struct str text)
{
	cleanup(buf_release) struct buf scratch = { 0 };
	struct url u;

	return url_parse(text, NULL, &scratch, &u, NULL) == ST_OK && url_is_http(&u);
}

/* Whole lines that were committed and not yet handed over. */
static bool gather(const struct handover *h, const struct campaign_folder *f, size_t i,
		   struct batch *b)
{
	cleanup(buf_release) struct buf text = { 0 }, url = { 0 };
	uint64_t at = h->handed[i], end = f->committed[LIST_LINKS];
	size_t want = (size_t)MIN(end - MIN(at, end), (uint64_t)READ_MOST), n, count = 0;
	char *p = want ? buf_reserve(&text, want) : NULL;
	double score;

	if (!p ||
	    file_read_at(&f->lists[LIST_LINKS].file, at, p, want, &n, NULL) != ST_OK)
		return false;
	struct str rest = { p, n };
	b->end = at;
	b->json.to = &b->body;
	json_open(&b->json, '[');
	while (count < HANDOVER_MOST) {
		size_t stop = str_find_char(rest, '\n');

		if (stop == STR_NONE)
			break;
		if (handover_parse(str_slice(rest, 0, stop), &url, &score) &&
		    is_url(buf_str(&url)))
			batch_add(b, buf_str(&url), score);
		rest = str_skip(rest, stop + 1);
		b->end += stop + 1;
		count++;
	}
	json_close(&b->json, ']');
	return count > 0;
}

/* --- which way --- */

static enum status to_inbox(const struct handover *h, struct str demands,
			    struct diag *why)
{
	struct inbox x;
	uint64_t end;

	TRY(inbox_open(&x, h->crawl_dir, why));
	enum status st = inbox_add(&x, demands, &end, why);
	if (st == ST_OK)
		st = inbox_sync(&x, end, why);
	inbox_close(&x);
	return st;
}

static bool load_text(const struct handover *h, const char *name, struct buf *to)
{
	cleanup(arena_release) struct arena a = { 0 };
	char *path = path_join(&a, h->crawl_dir, str_from(name));

	return file_exists(path) && file_load(path, 4096, to, NULL) == ST_OK;
}

static bool make_request(const struct handover *h, const struct batch *b,
			 struct api_request *ret)
{
	cleanup(buf_release) struct buf address = { 0 }, token = { 0 };

	if (!load_text(h, "serve.addr", &address) || !load_text(h, "serve.token", &token))
		return false;
	buf_reset(&ret->url);
	buf_reset(&ret->fields);
	buf_reset(&ret->body);
	buf_addf(&ret->url, "http://" STR_FMT "/urls",
		 STR_ARG(str_trim(buf_str(&address))));
	buf_addf(&ret->fields,
		 "Content-Type: application/json\r\nAuthorization: Bearer " STR_FMT
		 "\r\n",
		 STR_ARG(str_trim(buf_str(&token))));
	buf_add(&ret->body, buf_str(&b->body));
	ret->is_post = true;
	return true;
}

bool handover_next(struct handover *h, const struct campaign_folder *folders,
		   int64_t now_ms, struct api_request *ret)
{
	if (!h->crawl_dir || h->is_sending || now_ms < h->retry_ms)
		return false;
	for (uint32_t i = 0; i < h->n; i++) {
		cleanup(batch_release) struct batch b = { 0 };

		if (!gather(h, &folders[i], i, &b))
			continue;
		h->campaign = i;
		h->sending[i] = b.end;
		h->is_sending = true;
		if (to_inbox(h, buf_str(&b.demands), NULL) == ST_OK)
			handover_sent(h, folders, true, now_ms);
		else if (make_request(h, &b, ret))
			return true;
		else
			handover_sent(h, folders, false, now_ms);
	}
	return false;
}

void handover_sent(struct handover *h, const struct campaign_folder *folders,
		   bool accepted, int64_t now_ms)
{
	uint32_t i = h->campaign;

	h->is_sending = false;
	h->retry_ms = accepted ? 0 : now_ms + RETRY_MS;
	if (!accepted)
		return;
	h->handed[i] = h->sending[i];
	save_mark(h, &folders[i], h->handed[i]);
}
