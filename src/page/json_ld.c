#include "page/json_ld.h"

#include "base/json.h"

#define DEPTH_MAX 8

struct reading {
	struct arena *a;
	struct ld_object *v;
	size_t n;
};

/* A string, the @value of one, or the first element of a list of such. */
static struct str text_of(const struct json *v)
{
	if (json_kind(v) == JSON_ARRAY)
		v = json_first(v);
	if (json_kind(v) == JSON_OBJECT)
		v = json_get(v, "@value");
	return json_str(v);
}

static struct str first_of(struct reading *r, const struct json *o,
			   const char *const *names)
{
	for (; *names; names++) {
		struct str s = text_of(json_get(o, *names));

		if (s.n > 0)
			return arena_copy(r->a, s);
	}
	return STR("");
}

/* "https://schema.org/Person" and "schema:Person" are Person. */
static struct str bare_type(struct str type)
{
	size_t at = str_rfind_char(type, '/');

	if (at == STR_NONE)
		at = str_rfind_char(type, ':');
	return at == STR_NONE ? type : str_skip(type, at + 1);
}

static void read_author(struct reading *r, const struct json *o, struct ld_object *ret)
{
	static const char *const names[] = { "name", "alternateName", NULL };
	static const char *const urls[] = { "url", "@id", "sameAs", NULL };
	const struct json *author = json_get(o, "author");

	if (!author)
		author = json_get(o, "creator");
	if (json_kind(author) == JSON_ARRAY)
		author = json_first(author);
	ret->author_name = json_kind(author) == JSON_STRING
				   ? arena_copy(r->a, json_str(author))
				   : first_of(r, author, names);
	ret->author_url = first_of(r, author, urls);
}

static void read_object(struct reading *r, const struct json *o)
{
	static const char *const ids[] = { "@id", "url", NULL };
	static const char *const names[] = { "headline", "name", "title", NULL };
	static const char *const texts[] = { "articleBody", "text", "description", NULL };
	static const char *const dates[] = { "datePublished", "dateCreated", "uploadDate",
					     NULL };
	struct str type = bare_type(text_of(json_get(o, "@type")));

	if (type.n == 0 || r->n >= LD_OBJECTS_MAX)
		return;
	struct ld_object *x = &r->v[r->n++];
	*x = (struct ld_object){
		.type = arena_copy(r->a, type),
		.id = first_of(r, o, ids),
		.name = first_of(r, o, names),
		.text = first_of(r, o, texts),
		.date = first_of(r, o, dates),
	};
	read_author(r, o, x);
}

/* Authors and publishers belong to their object; everything else is one of its own. */
static bool is_part(struct str name)
{
	return str_eq(name, STR("author")) || str_eq(name, STR("creator")) ||
	       str_eq(name, STR("publisher"));
}

static void read_all(struct reading *r, const struct json *v, unsigned depth)
{
	if (depth > DEPTH_MAX ||
	    (json_kind(v) != JSON_OBJECT && json_kind(v) != JSON_ARRAY))
		return;
	if (json_kind(v) == JSON_OBJECT)
		read_object(r, v);
	for (const struct json *c = json_first(v); c; c = json_next(c))
		if (!is_part(json_name(c)))
			read_all(r, c, depth + 1);
}

size_t json_ld_read(struct str json, struct arena *a, struct ld_object *ret, size_t n)
{
	struct reading r = { a, ret, n };
	struct json *root = NULL;

	if (json_parse(json, &root, NULL) == ST_OK)
		read_all(&r, root, 0);
	json_release(&root);
	return r.n;
}
