#include "focus/page_line.h"

#include <math.h>

#include "base/json.h"

/* Cut where a character ends; the writer repairs what is none. */
static struct str cut(struct str s, size_t max)
{
	size_t n = MIN(s.n, max);

	while (n > 0 && n < s.n && ((unsigned char)s.p[n] & 0xc0) == 0x80)
		n--;
	return str_slice(s, 0, n);
}

static void put_link(struct json_out *o, const struct discovery *d, const struct link *l)
{
	json_open(o, '{');
	json_put_str(o, "url", d->url);
	if (l && l->text.n > 0)
		json_put_str(o, "text", cut(l->text, PAGE_LINE_AROUND));
	if (l && l->around.n > l->text.n)
		json_put_str(o, "around", cut(l->around, PAGE_LINE_AROUND));
	if (d->has_score)
		json_put_double(o, "score", round((double)d->score * 1000) / 1000);
	json_close(o, '}');
}

static void put_page(struct json_out *o, const struct page *p)
{
	json_put_str(o, "title", cut(p->title, PAGE_LINE_AROUND));
	json_put_str(o, "language", p->language);
	json_put_str(o, "text", cut(p->text, PAGE_LINE_TEXT));
}

void page_line_format(const struct page_line *p, struct buf *to)
{
	struct json_out o = { .to = to };

	json_open(&o, '{');
	json_put_uint(&o, "id", p->id);
	json_put_str(&o, "url", p->url);
	json_put_int(&o, "code", p->code);
	if (p->verdict.n > 0)
		json_put_str(&o, "verdict", p->verdict);
	json_put_bool(&o, "new", p->is_new);
	json_put_double(&o, "relevance", round((double)p->relevance * 1000) / 1000);
	if (p->page)
		put_page(&o, p->page);
	json_key(&o, STR("links"));
	json_open(&o, '[');
	for (size_t k = 0; k < MIN(p->n_links, (size_t)PAGE_LINE_LINKS); k++)
		put_link(&o, &p->links[k], p->origins ? p->origins[k] : NULL);
	json_close(&o, ']');
	json_close(&o, '}');
	buf_add_char(to, '\n');
}

/* --- answers --- */

static enum status read_score(const struct json *v, float *ret, struct diag *why)
{
	double score = json_number(v, (double)NAN);

	if (json_kind(v) == JSON_NULL) {
		*ret = MODULE_SILENT;
		return ST_OK;
	}
	if (json_kind(v) != JSON_NUMBER || !isfinite(score) || score > 1 ||
	    (score < 0 && score != -1))
		return diag_fail(why, ST_SYNTAX,
				 "a score is a number from 0 to 1, -1 for a veto, or "
				 "null");
	*ret = (float)score;
	return ST_OK;
}

static enum status read_links(const struct json *v, struct arena *a,
			      struct module_answer *ret, struct diag *why)
{
	size_t n = MIN(json_count(v), (size_t)PAGE_LINE_LINKS);

	if (json_kind(v) != JSON_ARRAY)
		return diag_fail(why, ST_SYNTAX,
				 "\"links\" is an array with a score for each link");
	ret->links = arena_alloc(a, (n + 1) * sizeof(*ret->links));
	for (const struct json *e = json_first(v); e && ret->n_links < n;
	     e = json_next(e))
		TRY(read_score(e, &ret->links[ret->n_links++], why));
	return ST_OK;
}

enum status module_answer_parse(struct str line, struct arena *a,
				struct module_answer *ret, struct diag *why)
{
	cleanup(json_release) struct json *root = NULL;
	struct module_answer m = { .score = MODULE_SILENT };

	TRY(json_parse(line, &root, why));
	double id = json_number(json_get(root, "id"), -1);
	if (!(id >= 0 && id < 9e15))
		return diag_fail(why, ST_SYNTAX,
				 "\"id\" must be that of the page it is an answer to");
	m.id = (uint64_t)id;
	if (json_get(root, "score"))
		TRY(read_score(json_get(root, "score"), &m.score, why));
	if (json_get(root, "links"))
		TRY(read_links(json_get(root, "links"), a, &m, why));
	*ret = m;
	return ST_OK;
}

float module_answer_of(const struct module_answer *m, size_t k)
{
	float own = k < m->n_links ? m->links[k] : MODULE_SILENT;

	return own > 1 ? m->score : own;
}
