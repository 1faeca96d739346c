/*
 * seeds.h - where a crawl begins, and how often its parts are revisited.
 *
 * Lists of seeds and what they say beside the URL.  Pure.
 */
#ifndef SPEC_SEEDS_H
#define SPEC_SEEDS_H

#include "policy/recrawl.h"
#include "spec/settings.h"

/*
 * A text file of seeds, called `name`: one per line, '#' begins a comment.  A line that
 * is no URL of http or https is passed over, and `passed_over` says so in words.  After a
 * tab "revisit=6h" says how often it is revisited; that goes to `revisits`, as
 * --revisit-seed has it.
 */
must_use enum status seeds_parse(struct str text, struct str name, struct str_list *ret,
				 struct str_list *revisits, struct str_list *passed_over,
				 struct arena *a, struct diag *why);
/* "https://" before what has no scheme. */
struct str seed_with_scheme(struct str seed, struct arena *a);
/* How often pages that descend from `source` are visited. */
struct recrawl revisit_rule(const struct crawl_settings *s, struct str source);
/* "6h https://example.org/": both halves; ST_SYNTAX with the reason. */
must_use enum status revisit_seed_parse(struct str text, uint64_t *ret_ms,
					struct str *ret_seed, struct diag *why);
#endif
