/* Whatever the scanner accepts, written out, is accepted again with the same terms. */
#include <stdlib.h>

#include "rdf/ntriples.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_round_trip(const struct statement *s)
{
	cleanup(buf_release) struct buf text = { 0 };
	struct statement again;
	struct diag why;

	statement_format(s, &text);
	struct nt_reader r = { .in = buf_str(&text), .quads = true };
	if (nt_next(&r, &again, &why) != ST_OK || !term_eq(s->subject, again.subject) ||
	    !term_eq(s->predicate, again.predicate) ||
	    !term_eq(s->object, again.object) || !term_eq(s->graph, again.graph))
		abort();
	nt_reader_release(&r);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct nt_reader r = { .in = { (const char *)data, size }, .quads = true };
	struct statement s;
	struct diag why;
	enum status st;

	while ((st = nt_next(&r, &s, &why)) != ST_NOT_FOUND)
		if (st == ST_OK)
			check_round_trip(&s);
	nt_reader_release(&r);
	return 0;
}
