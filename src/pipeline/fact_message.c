#include "pipeline/fact_message.h"

#include <string.h>

#include "base/date.h"
#include "base/json.h"
#include "journal/revisits.h"
#include "page/json_ld.h"
#include "pipeline/item.h"
#include "url/normal.h"

#define LINKS_MAX 5000
#define TEXT_MAX  4000 /* bytes of an object's text */

struct str iri_of_url(struct str url, struct arena *a)
{
	cleanup(buf_release) struct buf b = { 0 };

	for (size_t i = 0; i < url.n; i++)
		if ((unsigned char)url.p[i] <= ' ' || strchr("<>\"{}|^`\\", url.p[i]))
			buf_addf(&b, "%%%02X", (unsigned char)url.p[i]);
		else
			buf_add_char(&b, url.p[i]);
	return arena_copy(a, buf_str(&b));
}

/* --- the body --- */

static struct str absolute(struct str text, const struct url *own, struct arena *a)
{
	struct buf scratch[2] = { { 0 }, { 0 } };
	struct str iri = STR("");
	struct url u;

	if (text.n > 0 &&
	    url_parse_normal(text, own, NORMAL_STANDARD, scratch, &u, NULL) == ST_OK)
		iri = iri_of_url(u.href, a);
	buf_release(&scratch[0]);
	buf_release(&scratch[1]);
	return iri;
}

/* A person without an address of his own has one on the page's site. */
static struct str author_iri(const struct ld_object *o, const struct url *own,
			     struct arena *a)
{
	cleanup(buf_release) struct buf b = { 0 };

	if (o->author_url.n > 0 || o->author_name.n == 0)
		return absolute(o->author_url, own, a);
	buf_add(&b, (struct str){ own->href.p, (size_t)(own->path.p - own->href.p) });
	buf_add(&b, STR("/#author-"));
	for (size_t k = 0; k < o->author_name.n; k++) {
		char c = o->author_name.p[k];

		if (ascii_is_alpha(c) || ascii_is_digit(c))
			buf_add_char(&b, c);
		else
			buf_addf(&b, "%%%02X", (unsigned char)c);
	}
	return arena_copy(a, buf_str(&b));
}

static bool is_post(struct str type)
{
	return str_ends(type, STR("Posting")) || str_ends(type, STR("Article")) ||
	       str_eq(type, STR("Comment"));
}

static int64_t date_of(struct str text)
{
	int64_t ms = 0;

	if (!date_parse_iso(text, &ms) && !date_parse_http(text, &ms))
		return 0;
	return ms;
}

static void add_object(struct buf *to, struct str iri, struct str type, struct str name,
		       struct str creator, struct str creator_name, struct str text,
		       int64_t created_ms, struct str stands_for)
{
	buf_add_sized(to, iri);
	buf_add_sized(to, type);
	buf_add_sized(to, name);
	buf_add_sized(to, creator);
	buf_add_sized(to, creator_name);
	buf_add_sized(to, str_slice(text, 0, MIN(text.n, (size_t)TEXT_MAX)));
	buf_add_varint(to, (uint64_t)MAX(created_ms, 0));
	buf_add_sized(to, stands_for);
}

static size_t add_ld(const struct crawl_item *i, const struct url *own, struct buf *to)
{
	cleanup(arena_release) struct arena a = { 0 };
	struct ld_object *v = arena_alloc(&a, LD_OBJECTS_MAX * sizeof(*v));
	size_t n = 0;

	for (size_t k = 0; k < i->page.n_json_ld; k++)
		n = json_ld_read(i->page.json_ld[k], &a, v, n);
	for (size_t k = 0; k < n; k++) {
		cleanup(buf_release) struct buf type = { 0 }, iri = { 0 };

		buf_addf(&type, is_post(v[k].type) ? SIOC "Post" : SCHEMA STR_FMT,
			 STR_ARG(v[k].type));
		buf_add(&iri, absolute(v[k].id, own, &a));
		/* Without a name of its own, or with the page's: it is not the page. */
		if (iri.n == 0 || str_eq(buf_str(&iri), url_without_fragment(own))) {
			buf_reset(&iri);
			buf_add(&iri, iri_of_url(url_without_fragment(own), &a));
			buf_addf(&iri, "#object-%zu", k + 1);
		}
		add_object(to, buf_str(&iri), iri_of_url(buf_str(&type), &a), v[k].name,
			   author_iri(&v[k], own, &a), v[k].author_name, v[k].text,
			   date_of(v[k].date), STR(""));
	}
	return n;
}

static struct str word_of(const struct json *object, const char *const *names)
{
	for (; *names; names++) {
		struct str v = json_str(json_get(object, *names));

		if (v.n > 0)
			return v;
	}
	return STR("");
}

/* What the description of its application calls it, in the words of SIOC. */
static struct str type_of(struct str object)
{
	static const char *const posts[] = { "post",   "comment",  "message",
					     "answer", "question", "reply" };

	for (size_t k = 0; k < COUNT(posts); k++)
		if (str_eq(object, str_from(posts[k])))
			return STR(SIOC "Post");
	if (str_eq(object, STR("thread")))
		return STR(SIOC "Thread");
	return str_eq(object, STR("article")) ? STR(SCHEMA "Article")
					      : STR(SCHEMA "CreativeWork");
}

/* An object of an API has the URL of the page that shows it, and its name from there. */
static void add_app_object(const struct json *o, size_t nr, const struct url *own,
			   struct arena *a, struct buf *to)
{
	static const char *const ids[] = { "id", NULL };
	static const char *const titles[] = { "title", "name", "subject", NULL };
	static const char *const authors[] = { "author", "user", "from", NULL };
	static const char *const dates[] = { "date", "modified", "created", NULL };
	static const char *const texts[] = { "text", "body", "message", NULL };
	cleanup(buf_release) struct buf iri = { 0 };
	struct str kind = json_str(json_get(o, "object")), id = word_of(o, ids);
	struct str page = iri_of_url(json_str(json_get(o, "page_url")), a);
	bool stands = json_bool(json_get(o, "stands_for_page"), false);

	buf_add(&iri, page.n ? page : iri_of_url(url_without_fragment(own), a));
	if (id.n > 0 && id.n < 100)
		buf_addf(&iri, "#" STR_FMT "-" STR_FMT, STR_ARG(kind),
			 STR_ARG(iri_of_url(id, a)));
	else
		buf_addf(&iri, "#" STR_FMT "-n%zu", STR_ARG(kind), nr);
	struct ld_object who = { .author_name = word_of(o, authors) };
	add_object(to, buf_str(&iri), type_of(kind), word_of(o, titles),
		   author_iri(&who, own, a), who.author_name, word_of(o, texts),
		   date_of(word_of(o, dates)), stands ? page : STR(""));
}

/* Lines of JSON, made by app_output.h. */
static size_t add_app_objects(const struct crawl_item *i, const struct url *own,
			      struct buf *to)
{
	cleanup(arena_release) struct arena a = { 0 };
	struct str rest = i->objects, line;
	size_t n = 0;

	while (n < LINKS_MAX && str_take_line(&rest, &line)) {
		struct json *o = NULL;

		if (json_parse(line, &o, NULL) == ST_OK)
			add_app_object(o, ++n, own, &a, to);
		json_release(&o);
	}
	return n;
}

static size_t add_entries(const struct crawl_item *i, const struct url *own,
			  struct buf *to)
{
	cleanup(arena_release) struct arena a = { 0 };
	size_t n = 0;

	for (size_t k = 0; k < i->page.n_links && n < LINKS_MAX; k++) {
		const struct link *l = &i->page.links[k];
		struct str iri =
			l->kind == LINK_FEED ? absolute(l->url, own, &a) : STR("");

		cleanup(buf_release) struct buf entry = { 0 };

		if (iri.n == 0)
			continue;
		buf_add(&entry, iri);
		buf_add(&entry, STR("#entry")); /* the post, not the page that shows it */
		add_object(to, buf_str(&entry), STR(SIOC "Post"), l->text, STR(""),
			   STR(""), STR(""), date_of(l->date), STR(""));
		n++;
	}
	return n;
}

void fact_body_add(const struct crawl_item *i, struct buf *to)
{
	cleanup(buf_release) struct buf objects = { 0 }, scratch = { 0 };
	cleanup(arena_release) struct arena a = { 0 };
	size_t n = MIN(i->n_links, (size_t)LINKS_MAX), n_objects = 0;
	struct url own = { 0 };

	if (url_parse(i->step.task.url, NULL, &scratch, &own, NULL) == ST_OK &&
	    i->has_page)
		n_objects = i->page.kind == PAGE_FEED ? add_entries(i, &own, &objects)
						      : add_ld(i, &own, &objects);
	if (n_objects == 0 && i->objects.n > 0 && own.href.n > 0)
		n_objects = add_app_objects(i, &own, &objects);
	buf_add_varint(to, n);
	for (size_t k = 0; k < n; k++) {
		buf_add_sized(to, iri_of_url(i->links[k].url, &a));
		buf_add_sized(to, i->origins && i->origins[k] ? i->origins[k]->text
							      : STR(""));
	}
	buf_add_varint(to, n_objects);
	buf_add(to, buf_str(&objects));
}

/* --- the head --- */

/* "WordPress 6.4.2" is WordPress. */
static struct str software(struct str generator)
{
	size_t n = 0;

	while (n < generator.n && !ascii_is_digit(generator.p[n]) &&
	       generator.p[n] != '(' && generator.p[n] != ';')
		n++;
	return str_trim(str_slice(generator, 0, n));
}

static struct str host_root(struct str url)
{
	size_t scheme = str_find(url, STR("://"));
	size_t slash = scheme == STR_NONE ? STR_NONE
					  : str_find_char(str_skip(url, scheme + 3), '/');

	return slash == STR_NONE ? url : str_slice(url, 0, scheme + 3 + slash + 1);
}

void fact_head_add(const struct crawl_item *i, struct buf *to)
{
	cleanup(arena_release) struct arena a = { 0 };
	cleanup(buf_release) struct buf record = { 0 };
	struct str url = iri_of_url(i->step.task.url, &a);
	bool is_copy =
		i->has_verdict && i->verdict.representative_url.n > 0 &&
		(i->verdict.kind == VERDICT_EXACT || i->verdict.kind == VERDICT_NEAR) &&
		!str_eq(i->verdict.representative_url, i->step.task.url);

	buf_add(&record, STR("urn:uuid:"));
	buf_add(&record, record_id_str(&i->capture.id));
	buf_add_varint(to, i->round);
	buf_add_sized(to, url);
	buf_add_sized(to, i->page.title);
	buf_add_sized(to, i->page.language.n ? i->page.language : i->page.lang);
	buf_add_sized(to, i->mime);
	buf_add_sized(to, i->app_name.n ? i->app_name : software(i->page.generator));
	buf_add_sized(to, host_root(url));
	buf_add_sized(to, buf_str(&record));
	buf_add_sized(to,
		      is_copy ? iri_of_url(i->verdict.representative_url, &a) : STR(""));
	buf_add_sized(to, iri_of_url(i->canonical, &a));
	buf_add_sized(to, i->step.task.purpose == PURPOSE_REVISIT ? change_name(i->change)
								  : STR(""));
	buf_add_varint(to, (uint64_t)i->result.start_ms);
	buf_add_varint(to, (uint64_t)MAX(i->result.code, 0));
	buf_add_varint(to, i->result.body_bytes);
	buf_add_u8(to, i->page.kind == PAGE_FEED);
}

void fact_rule_add(const struct fact_rule *r, uint32_t round, struct buf *to)
{
	buf_add_varint(to, round);
	buf_add_sized(to, r->name);
	buf_add_sized(to, r->pattern);
	buf_add_varint(to, r->skipped);
}

void fact_number_add(enum fact_kind kind, uint64_t number, struct buf *to)
{
	buf_add_u8(to, (uint8_t)kind);
	buf_add_varint(to, number);
}

/* --- reading --- */

static bool take_head(struct str *in, struct fact_page *p)
{
	uint64_t fetched, status;
	uint8_t is_feed;

	if (!str_take_sized(in, &p->url) || !str_take_sized(in, &p->title) ||
	    !str_take_sized(in, &p->language) || !str_take_sized(in, &p->media_type) ||
	    !str_take_sized(in, &p->application) || !str_take_sized(in, &p->host) ||
	    !str_take_sized(in, &p->record) || !str_take_sized(in, &p->duplicate_of) ||
	    !str_take_sized(in, &p->canonical) || !str_take_sized(in, &p->change) ||
	    !str_take_varint(in, &fetched) || !str_take_varint(in, &status) ||
	    !str_take_varint(in, &p->bytes) || !str_take_u8(in, &is_feed) ||
	    fetched > INT64_MAX || status > 999 || is_feed > 1)
		return false;
	p->fetched_ms = (int64_t)fetched;
	p->status = (unsigned)status;
	p->is_feed = is_feed;
	return true;
}

static bool take_links(struct str *in, struct arena *a, struct fact_page *p)
{
	uint64_t n;

	if (!str_take_varint(in, &n) || n > in->n / 2)
		return false;
	struct fact_link *v = arena_alloc(a, (n + 1) * sizeof(*v));
	for (size_t k = 0; k < n; k++)
		if (!str_take_sized(in, &v[k].url) || !str_take_sized(in, &v[k].text))
			return false;
	p->links = v;
	p->n_links = n;
	return true;
}

static bool take_objects(struct str *in, struct arena *a, struct fact_message *m)
{
	uint64_t n, created;

	if (!str_take_varint(in, &n) || n > in->n / 8)
		return false;
	m->objects = arena_alloc(a, (n + 1) * sizeof(*m->objects));
	m->n_objects = n;
	for (size_t k = 0; k < n; k++) {
		struct fact_object *o = &m->objects[k];

		*o = (struct fact_object){ .page = m->page.url,
					   .record = m->page.record };
		if (!str_take_sized(in, &o->iri) || !str_take_sized(in, &o->type) ||
		    !str_take_sized(in, &o->name) || !str_take_sized(in, &o->creator) ||
		    !str_take_sized(in, &o->creator_name) ||
		    !str_take_sized(in, &o->text) || !str_take_varint(in, &created) ||
		    created > INT64_MAX || !str_take_sized(in, &o->stands_for))
			return false;
		o->created_ms = (int64_t)created;
	}
	return true;
}

static bool take_round(struct str *in, uint32_t *ret)
{
	uint64_t v;

	if (!str_take_varint(in, &v) || v > UINT32_MAX)
		return false;
	*ret = (uint32_t)v;
	return true;
}

enum status fact_message_decode(struct str in, struct arena *a, struct fact_message *ret)
{
	struct fact_message m = { 0 };
	bool fine = str_take_u8(&in, &m.kind) && str_take_varint(&in, &m.number);

	switch (m.kind) {
	case FACT_PAGE:
		fine = fine && take_round(&in, &m.round) && take_head(&in, &m.page) &&
		       take_links(&in, a, &m.page) && take_objects(&in, a, &m);
		break;
	case FACT_RULE:
		fine = fine && take_round(&in, &m.round) &&
		       str_take_sized(&in, &m.rule.name) &&
		       str_take_sized(&in, &m.rule.pattern) &&
		       str_take_varint(&in, &m.rule.skipped);
		break;
	case FACT_COMMITTED:
	case FACT_BEGUN:
		break;
	default:
		fine = false;
	}
	if (!fine || in.n > 0)
		return ST_CORRUPT;
	*ret = m;
	return ST_OK;
}
