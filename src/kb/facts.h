/*
 * facts.h - what a crawl learns, as statements (doc/knowledge-base.md has the
 * vocabulary).
 *
 * One graph a crawl.  Every page is a star of schema.org and thresh terms with the
 * WARC record it was read from as provenance.  Strings are UTF-8; an empty
 * one, or a zero, is left out.
 */
#ifndef KB_FACTS_H
#define KB_FACTS_H

#include "kb/writer.h"

#define SCHEMA "https://schema.org/"
#define SIOC   "http://rdfs.org/sioc/ns#"
#define PROV   "http://www.w3.org/ns/prov#"
#define THRESH "https://thresh.invalid/vocab#"

struct fact_link {
	struct str url, text; /* `text`: the words of the anchor */
};

struct fact_page {
	struct str url, title, language, media_type, application;
	struct str host;   /* "http://example.org/": the root of its site */
	struct str record; /* "urn:uuid:...": the WARC record */
	int64_t fetched_ms;
	unsigned status; /* of HTTP */
	uint64_t bytes;
	struct str duplicate_of; /* the URL of the representative */
	struct str canonical;    /* what it says its URL is */
	struct str change;       /* against the visit before: "unchanged", ... */
	bool is_feed;
	const struct fact_link *links;
	size_t n_links;
};

/* A thing that was found on a page: a post, an account, an event. */
struct fact_object {
	struct str iri, type; /* `type` a full IRI, e.g. SIOC "Post" */
	struct str page, creator, text;
	struct str record; /* "urn:uuid:...": the WARC record it was read from */
	struct str name, creator_name;
	int64_t created_ms;
	struct str stands_for; /* the page that was not fetched for it; or empty */
};

struct fact_rule {
	struct str name, pattern; /* as `thresh rules` writes it */
	uint64_t skipped;         /* URLs that it kept from being fetched */
};

/* `graph` is the IRI of the crawl. */
must_use enum status facts_add_page(struct kb_writer *w, struct str graph,
				    const struct fact_page *p, struct diag *why);
must_use enum status facts_add_object(struct kb_writer *w, struct str graph,
				      const struct fact_object *o, struct diag *why);
must_use enum status facts_add_rule(struct kb_writer *w, struct str graph,
				    const struct fact_rule *r, struct diag *why);
#endif
