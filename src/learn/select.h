/*
 * select.h - which candidates hold, where, and which of those are needed.
 *
 * A candidate comes with the groups of URLs it joins.  With `families` a rule is judged
 * site by site: it loses the sites that speak against it, and an operation that enough
 * sites confirm becomes universal, those against it being its exceptions.  With `doubt`
 * labels are evidence (doubt.h); otherwise they are true, and one wrong pair above the
 * rate is a site lost.
 */
#ifndef LEARN_SELECT_H
#define LEARN_SELECT_H

#include "learn/learn.h"

/*
 * `groups` number the candidates from 0, and the URLs of `urls`.  Rules that hold and
 * are needed are added to `ret`; the noise that was estimated goes to the report.
 */
void learn_select(const struct rule_set *candidates, const struct groups *groups,
		  const struct url_set *urls, const struct learn_options *options,
		  struct rule_set *ret, struct learn_report *report);
/* The noise by the evidence of operations that were learnt, for a second round. */
double learn_noise_of(const struct rule_set *rules);
#endif
