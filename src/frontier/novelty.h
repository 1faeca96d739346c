/*
 * novelty.h - does this family of URLs still bring anything new?
 *
 * URLs of one host that differ only in numbers, dates, hashes, names at the end
 * and parameter values belong to one template: /shop/N/?color=&size=.  A template
 * may be asked a first number of times for nothing; from then on it lives on what
 * it earned: each page that was new pays for a number of further requests.  So an
 * endless calendar or a facet explosion ends by itself, and a rich archive never
 * notices.  What exceeds its credit is held back, not dropped: it goes on when the
 * template earns more.
 *
 * A zeroed struct with its settings is empty.  Pure; one owner.
 */
#ifndef FRONTIER_NOVELTY_H
#define FRONTIER_NOVELTY_H

#include "base/map.h"
#include "web/url.h"

struct novelty_settings {
	uint32_t first;     /* requests before anything has to be proved; 0: no limit */
	uint32_t per_novel; /* further requests that one new page pays for */
	uint32_t bonus;     /* given to every template when nothing else is left to ask */
};

struct url_template {
	uint64_t hash;
	uint32_t asked, novel, answered;
	uint32_t refused; /* held back since the last credit */
};

struct novelty {
	struct novelty_settings settings;
	struct map by_hash; /* to the index in v */
	struct url_template *v;
	size_t n, cap;
};

void novelty_release(struct novelty *t);
/* The template of a URL as text, for people; its hash is what the table knows. */
void url_template_format(const struct url *u, struct buf *to);
uint64_t url_template_hash(const struct url *u, struct buf *scratch);
/* The state of a template, made when new; lives until the next call. */
struct url_template *novelty_get(struct novelty *t, uint64_t hash);
/* NULL when nothing is known of it. */
const struct url_template *novelty_find(const struct novelty *t, uint64_t hash);

/* May one more be asked? */
bool novelty_has_credit(const struct novelty *t, const struct url_template *s);
/* One is asked. */
void novelty_ask(struct url_template *s);
/* Its answer came. */
void novelty_answer(struct url_template *s, bool novel);
#endif
