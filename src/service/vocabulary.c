#include "service/vocabulary.h"

#include "base/buf.h"
#include "kb/facts.h"

const struct str vocabulary_type = { RDF "type", sizeof(RDF "type") - 1 };
const char *const vocabulary_prefixes = "rdf, xsd, schema, sioc, as, prov, thresh";

static const struct {
	struct str prefix, iri;
} rows[] = {
	{ { "rdf", 3 }, { RDF, sizeof(RDF) - 1 } },
	{ { "xsd", 3 }, { XSD, sizeof(XSD) - 1 } },
	{ { "schema", 6 }, { SCHEMA, sizeof(SCHEMA) - 1 } },
	{ { "sioc", 4 }, { SIOC, sizeof(SIOC) - 1 } },
	{ { "as", 2 }, { "https://www.w3.org/ns/activitystreams#", 38 } },
	{ { "prov", 4 }, { PROV, sizeof(PROV) - 1 } },
	{ { "thresh", 6 }, { THRESH, sizeof(THRESH) - 1 } },
};

struct str vocabulary_expand(struct str name, struct arena *a)
{
	size_t colon = str_find_char(name, ':');
	cleanup(buf_release) struct buf b = { 0 };

	for (size_t i = 0; colon != STR_NONE && i < COUNT(rows); i++) {
		if (!str_eq(rows[i].prefix, str_slice(name, 0, colon)) ||
		    colon + 1 == name.n)
			continue;
		buf_add(&b, rows[i].iri);
		buf_add(&b, str_skip(name, colon + 1));
		return arena_copy(a, buf_str(&b));
	}
	return STR("");
}
