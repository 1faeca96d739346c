/*
 * overview.h - the crawl as a page that anybody can open.
 *
 *   DIR/overview/index.html      graph, slider, states; no network, no server
 *   DIR/overview/screenshots/    DIR/overview/doms/
 *   DIR/overview/result.json     with the keys of Crawljax's, for existing scripts
 *   DIR/overview/graph.dot       Graphviz
 *   DIR/overview/junit.xml       a case a state, failed when its page had problems
 *   DIR/overview/traffic.har     the traffic once more, where it was asked for
 *   DIR/overview/skipped.jsonl   what was seen and not explored, with the reason
 *   DIR/overview/paths/          every shortest path as Chrome Recorder JSON and
 * Playwright
 */
#ifndef OVERVIEW_OVERVIEW_H
#define OVERVIEW_OVERVIEW_H

#include "states/explore.h"

struct overview_facts {
	struct str url, settings;
	uint32_t width, height; /* of the pictures */
	bool pictures;
	enum explore_end end;
	uint64_t duration_ms; /* of this run */
};

must_use enum status overview_write(const struct model *m, const struct overview_facts *f,
				    struct diag *why);
/* export.c: the other files. */
must_use enum status overview_export(const struct model *m,
				     const struct overview_facts *f, struct diag *why);
/* paths.c: every shortest path as Chrome Recorder JSON and Playwright. */
must_use enum status overview_write_paths(const struct model *m,
					  const struct overview_facts *f,
					  struct diag *why);
/* "index", "state7"; a file of DIR/overview/. */
void overview_add_name(struct buf *b, uint32_t nr);
must_use enum status overview_save(const struct model *m, const char *name,
				   const struct buf *b, struct diag *why);
/* skipped.c: one line a thing that was seen and not explored. */
must_use enum status overview_write_skipped(const struct model *m, struct diag *why);
/* The words for `end` that Crawljax uses: "EXHAUSTED" ... */
const char *explore_end_name(enum explore_end end);
/* The data behind the slider, as JSON; for the page and for tests. */
void overview_add_data(const struct model *m, const struct overview_facts *f,
		       struct buf *to);
#endif
