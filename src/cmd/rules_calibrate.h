/* rules_calibrate.h - how 'rules calibrate' prints its tables. */
#ifndef CMD_RULES_CALIBRATE_H
#define CMD_RULES_CALIBRATE_H

#include "learn/study.h"

struct study_printer {
	bool json;
	uint64_t runs; /* counts are means over these */
};

void study_print_set(const struct study_printer *p, const struct set_statistics *s);
void study_print_alignment(const struct study_printer *p,
			   const struct alignment_scores *progressive,
			   const struct alignment_scores *linear);
void study_print(const struct study_printer *p, enum study_what what,
		 const struct study *s);
/* What was chosen, on clusters that did not choose it. */
void study_print_choice(const struct study_printer *p, const struct learn_options *o,
			double precision, const struct metrics *m);
#endif
