/*
 * results.h - the answers of a query as text, in the formats of the W3C and for people.
 *
 * A writer is the sink of a query.  It gives its bytes away whenever enough are
 * together, so an answer of any length needs little memory.
 */
#ifndef KB_RESULTS_H
#define KB_RESULTS_H

#include "query/query.h"
#include "rdf/turtle.h"

enum results_format {
	RESULTS_TABLE, /* aligned columns, for a terminal */
	RESULTS_JSON,
	RESULTS_XML,
	RESULTS_CSV,
	RESULTS_TSV,
	RESULTS_NTRIPLES, /* graphs: CONSTRUCT and DESCRIBE */
	RESULTS_TURTLE,
};

struct results_writer {
	enum results_format format, graph_format;
	/* CSV for a spreadsheet: what it would take for a formula gets a ' in front.  Not
	 * in the protocol, whose values are as they are. */
	bool tame_formulas;
	/* Takes the bytes; whatever but ST_OK ends the query. */
	enum status (*flush)(void *context, struct str bytes);
	void *context;
	struct buf out;
	struct str *vars;
	size_t n_vars;
	struct arena names;
	uint64_t rows;
	struct turtle_writer turtle;
	bool turtle_open;
	struct str *cells; /* of RESULTS_TABLE, until all widths are known */
	size_t n_cells, cells_cap;
};

struct result_sink results_sink(struct results_writer *w);
/* What closes the document, and the last bytes. */
must_use enum status results_end(struct results_writer *w);
void results_release(struct results_writer *w);

/* The media type, with its character set where it is text. */
const char *results_media_type(enum results_format f);
/* The best format for an Accept header; `graph` for CONSTRUCT and DESCRIBE. */
enum results_format results_negotiate(struct str accept, bool graph);
#endif
