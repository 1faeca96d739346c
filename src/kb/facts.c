#include "kb/facts.h"

#include "base/date.h"

/* One subject in one graph; the first failure is kept. */
struct star {
	struct kb_writer *writer;
	struct statement s;
	enum status st;
	struct diag *why;
};

static struct star star_of(struct kb_writer *w, struct str graph, struct str subject,
			   struct diag *why)
{
	struct star star = { .writer = w, .why = why };

	star.s.subject = term_iri(subject);
	star.s.graph = graph.n ? term_iri(graph) : (struct term){ 0 };
	return star;
}

static void put(struct star *star, struct str predicate, struct term object)
{
	if (object.text.n == 0 || star->st != ST_OK)
		return;
	star->s.predicate = term_iri(predicate);
	star->s.object = object;
	star->st = kb_writer_add(star->writer, &star->s, star->why);
}

static void put_number(struct star *star, struct str predicate, uint64_t v)
{
	cleanup(buf_release) struct buf b = { 0 };

	if (v == 0)
		return;
	buf_add_uint(&b, v);
	put(star, predicate, term_typed(buf_str(&b), STR(XSD "integer")));
}

static void put_time(struct star *star, struct str predicate, int64_t ms)
{
	cleanup(buf_release) struct buf b = { 0 };

	if (ms == 0)
		return;
	buf_add_date_iso(&b, ms, false);
	put(star, predicate, term_typed(buf_str(&b), STR(XSD "dateTime")));
}

/* A link with words is a node of its own, named after the record it was read from: the
 * same words on another page, or another day, are another link. */
static void put_link(struct star *star, const struct fact_page *p, size_t i)
{
	cleanup(buf_release) struct buf iri = { 0 };

	buf_addf(&iri, STR_FMT "#link-%zu", STR_ARG(p->record.n ? p->record : p->url),
		 i + 1);
	struct star link =
		star_of(star->writer, star->s.graph.text, buf_str(&iri), star->why);
	put(&link, STR(THRESH "source"), term_iri(p->url));
	put(&link, STR(THRESH "target"), term_iri(p->links[i].url));
	put(&link, STR(THRESH "anchorText"), term_string(p->links[i].text));
	put(&link, STR(PROV "wasDerivedFrom"), term_iri(p->record));
	if (star->st == ST_OK)
		star->st = link.st;
}

static void put_links(struct star *star, const struct fact_page *p)
{
	for (size_t i = 0; i < p->n_links; i++) {
		put(star, STR(THRESH "linksTo"), term_iri(p->links[i].url));
		if (p->links[i].text.n > 0)
			put_link(star, p, i);
	}
}

enum status facts_add_page(struct kb_writer *w, struct str graph,
			   const struct fact_page *p, struct diag *why)
{
	struct star s = star_of(w, graph, p->url, why);

	put(&s, STR(RDF "type"), term_iri(STR(SCHEMA "WebPage")));
	if (p->is_feed)
		put(&s, STR(RDF "type"), term_iri(STR(SCHEMA "DataFeed")));
	put(&s, STR(SCHEMA "name"),
	    p->language.n ? term_lang(p->title, p->language) : term_string(p->title));
	put(&s, STR(SCHEMA "inLanguage"), term_string(p->language));
	put(&s, STR(SCHEMA "encodingFormat"), term_string(p->media_type));
	put(&s, STR(SCHEMA "isPartOf"), term_iri(p->host));
	put(&s, STR(THRESH "application"), term_string(p->application));
	put(&s, STR(THRESH "duplicateOf"), term_iri(p->duplicate_of));
	put(&s, STR(THRESH "canonical"), term_iri(p->canonical));
	put(&s, STR(THRESH "change"), term_string(p->change));
	put(&s, STR(PROV "wasDerivedFrom"), term_iri(p->record));
	put_time(&s, STR(PROV "generatedAtTime"), p->fetched_ms);
	put_number(&s, STR(THRESH "status"), p->status);
	put_number(&s, STR(SCHEMA "contentSize"), p->bytes);
	put_links(&s, p);
	struct star host = star_of(w, graph, p->host, why);
	if (p->host.n > 0)
		put(&host, STR(RDF "type"), term_iri(STR(SCHEMA "WebSite")));
	return s.st != ST_OK ? s.st : host.st;
}

enum status facts_add_object(struct kb_writer *w, struct str graph,
			     const struct fact_object *o, struct diag *why)
{
	struct star s = star_of(w, graph, o->iri, why);

	put(&s, STR(RDF "type"), term_iri(o->type));
	put(&s, STR(PROV "wasDerivedFrom"), term_iri(o->page));
	put(&s, STR(PROV "hadPrimarySource"), term_iri(o->record));
	put(&s, STR(SCHEMA "name"), term_string(o->name));
	put(&s, STR(SIOC "has_creator"), term_iri(o->creator));
	put(&s, STR(SIOC "content"), term_string(o->text));
	put_time(&s, STR(SCHEMA "dateCreated"), o->created_ms);
	struct star creator = star_of(w, graph, o->creator, why);
	if (o->creator.n > 0)
		put(&creator, STR(SCHEMA "name"), term_string(o->creator_name));
	struct star page = star_of(w, graph, o->stands_for, why);
	if (o->stands_for.n > 0) {
		put(&page, STR(RDF "type"), term_iri(STR(SCHEMA "WebPage")));
		put(&page, STR(PROV "alternateOf"), term_iri(o->iri));
	}
	return s.st != ST_OK ? s.st : creator.st != ST_OK ? creator.st : page.st;
}

enum status facts_add_rule(struct kb_writer *w, struct str graph,
			   const struct fact_rule *r, struct diag *why)
{
	cleanup(buf_release) struct buf iri = { 0 };

	buf_addf(&iri, "%s", THRESH "rule/");
	for (size_t i = 0; i < r->name.n; i++)
		if (ascii_is_alpha(r->name.p[i]) || ascii_is_digit(r->name.p[i]))
			buf_add_char(&iri, r->name.p[i]);
		else
			buf_addf(&iri, "%%%02X", (unsigned char)r->name.p[i]);
	struct star s = star_of(w, graph, buf_str(&iri), why);
	put(&s, STR(RDF "type"), term_iri(STR(THRESH "Rule")));
	put(&s, STR(SCHEMA "name"), term_string(r->name));
	put(&s, STR(THRESH "pattern"), term_string(r->pattern));
	put_number(&s, STR(THRESH "skipped"), r->skipped);
	return s.st;
}
