/*
 * page_check.h - the crawl's question, page by page: is this new?
 *
 * Puts together what the room knows: the template of the host is taken out,
 * what is left is sketched and asked of the index; an answer like the one the
 * host gives to a URL that cannot exist is a soft 404.  A page whose own content
 * vanishes with the template is `template-only`, and counts as new.
 *
 * Owned by one writer thread.  With a folder all of it survives a crash up to
 * the last page_check_sync().
 */
#ifndef DUP_PAGE_CHECK_H
#define DUP_PAGE_CHECK_H

#include "dup/bogus_answers.h"
#include "dup/index.h"
#include "dup/templates.h"

struct checked_page {
	struct str url, host;
	struct u128 payload;      /* digest of the body; zero: unknown */
	const struct str *blocks; /* the text, paragraph by paragraph, in order */
	const bool *is_main;      /* of each block; NULL: unknown */
	size_t n_blocks;
	bool is_there; /* never a soft 404, whatever it looks like */
	bool again;    /* seen before: the host's template does not learn from it */
};

struct page_answer {
	struct verdict verdict; /* strings live until the next call */
	uint64_t doc;           /* its number in the index; of the original when exact */
	uint64_t content_simhash;  /* of what is left without the template */
	uint64_t template_simhash; /* of the template's blocks; 0 when there are none */
};

struct page_check {
	struct dup_index index;
	struct templates templates;
	size_t unsaved; /* blocks seen since the templates were saved */
	struct bogus_answers probes;
	char *dir;
	struct page_sketch sketch, whole; /* reused */
	struct buf content, template_text, joined;
	bool *marks;
	size_t cap_marks;
};

/* `options->dir` is the folder of everything; see index.h for the rest. */
must_use enum status page_check_open(struct page_check *c,
				     const struct dup_index_options *options,
				     struct diag *why);
void page_check_release(struct page_check *c);
must_use enum status page_check_see(struct page_check *c, const struct checked_page *in,
				    struct page_answer *ret, struct diag *why);
/* What `host` answers to a URL that cannot exist, when it says 200. */
void page_check_probe(struct page_check *c, const struct checked_page *in);
bool page_check_has_probe(const struct page_check *c, struct str host);
/* On disk when it returns, or, given a set, once that is synced. */
must_use enum status page_check_sync(struct page_check *c, struct sync_set *later,
				     struct diag *why);
#endif
