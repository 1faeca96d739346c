/* rules_eval.h - the rows of 'thresh rules eval', for people and for machines. */
#ifndef CMD_RULES_EVAL_H
#define CMD_RULES_EVAL_H

#include "cmd/rules.h"
#include "learn/compare.h"

void eval_print_head(void);
/* Candidates and rules are shown as the average of so many runs. */
void eval_print_row(const struct compared_method *how, double fpr,
		    const struct metrics *m, uint64_t runs);
void eval_print_json(const struct compared_method *how, double fpr,
		     const struct metrics *m);
#endif
