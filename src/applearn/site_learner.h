/*
 * site_learner.h - from the pages of a site without a description: which forms of URLs
 * have the content, which lead to it, and which repeat it.
 *
 * Add every HTML page with its links, and every redirect; then site_learner_finish().
 * Forms that are needed for the content are kept; of the others only those without which
 * a page of a kept form could not be reached from where the crawl began.  Whatever is
 * left out has, on the pages that were seen, no text of its own.  Pure; one thread.
 */
#ifndef APPLEARN_SITE_LEARNER_H
#define APPLEARN_SITE_LEARNER_H

#include "applearn/url_forms.h"

#define LEARN_RUNS_MAX ((size_t)1 << 22) /* runs of words, of the whole site */

/* What became of a form. */
enum form_use {
	FORM_UNSEEN,  /* links lead there, nothing of it was fetched */
	FORM_CONTENT, /* has text that no other has */
	FORM_WAY,     /* leads to it */
	FORM_REPEATS, /* shows what others show */
};

struct learnt_page {
	uint32_t url; /* of the forms */
	uint32_t first_link, n_links;
	uint32_t first_run, n_runs;
	uint32_t depth; /* links from the first page */
	bool is_redirect;
};

struct learnt_form {
	uint8_t use; /* enum form_use */
	uint32_t pages;
	uint32_t with_text;
	uint32_t firsts;    /* of them: not further pages of another */
	uint64_t depth_sum; /* of the firsts */
	uint32_t own_runs;  /* that no kept form has, when it was decided */
	uint32_t runs;
};

struct site_learner {
	struct str server; /* "http://host:port" */
	struct url_forms forms;
	struct learnt_page *pages;
	size_t n, cap;
	struct map by_url; /* of pages, + 1 */
	uint32_t *links;   /* URLs */
	size_t n_links, links_cap;
	uint64_t *runs;
	size_t n_runs, runs_cap;
	struct learnt_form *learnt; /* per form, after the end */
};

/* A page that is not there yet; false: it is, or there is no more room. */
bool site_learner_add(struct site_learner *l, struct str path, bool is_redirect);
/* Of the page that was added last. */
void site_learner_add_link(struct site_learner *l, struct str path);
void site_learner_add_text(struct site_learner *l, struct str text);
void site_learner_finish(struct site_learner *l);
void site_learner_release(struct site_learner *l);
/* How many of the pages that were seen would be fetched again. */
size_t site_learner_kept(const struct site_learner *l);
/* The description that a person edits; `id` is its name. */
void site_draft(const struct site_learner *l, struct str id, struct buf *to);
#endif
