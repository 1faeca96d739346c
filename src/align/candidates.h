/*
 * candidates.h - rule texts with the number of clusters that offered them and
 * the sites they came from (tables RT and CRT of algorithms 2 and 5).
 */
#ifndef ALIGN_CANDIDATES_H
#define ALIGN_CANDIDATES_H

#include "base/intern.h"
#include "dust/rule.h"

struct candidates {
	struct intern texts;
	uint32_t *frequency; /* by text */
	size_t frequency_cap;
	uint64_t *sites; /* text << 32 | host */
	size_t n_sites, sites_cap;
};

void candidates_release(struct candidates *c);
/* One cluster offers `text`; its URLs stand on `hosts`.  Returns the text's number. */
uint32_t candidates_add(struct candidates *c, struct str text, const uint32_t *hosts,
			size_t n);
/* The same of a text that was added before. */
void candidates_repeat(struct candidates *c, uint32_t text, const uint32_t *hosts,
		       size_t n);
void candidates_merge(struct candidates *into, const struct candidates *from);
/* How often this text must be offered: a mirror is told by one page of a long name. */
uint64_t candidate_least(struct str text, uint64_t min_freq);
/*
 * Add every text offered at least `min_freq` times to `ret`, with its sites.
 * Texts that do not parse or whose contexts take too many shapes are left out.
 */
void candidates_take(struct candidates *c, uint64_t min_freq, const struct intern *hosts,
		     struct rule_set *ret);
#endif
