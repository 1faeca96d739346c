/* preset.h - what --preset of a command changes in its settings. */
#ifndef CMD_PRESET_H
#define CMD_PRESET_H

#include "spec/settings.h"

struct states_settings;

/* Nothing without --preset.  ST_SYNTAX when the method is none that a crawl has. */
must_use enum status crawl_preset(struct crawl_settings *s, struct diag *why);
/* A method over tag paths is the threshold of templates, any other that of contents. */
must_use enum status states_preset(struct states_settings *s, struct arena *a,
				   struct diag *why);
#endif
