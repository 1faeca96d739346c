#include "cmd/testweb.h"

#include <stdio.h>

#include "cmd/commands.h"
#include "testweb/trap.h"
#include "testweb/trouble.h"
#include "testweb/way.h"

int web_fail(const struct command *self, const struct diag *why)
{
	fprintf(stderr, "thresh %s: %s\n", self->name, why->text);
	return EXIT_FAILED;
}

/* The bits of the words in `list`; "all" and "none" are words too. */
static enum status choose(const struct str_list *list, const char *const *names,
			  unsigned n, const char *option, uint32_t *ret, struct diag *why)
{
	uint32_t bits = 0;

	if (list->n == 0) /* the default stays */
		return ST_OK;
	for (size_t i = 0; i < list->n; i++) {
		unsigned k = 0;

		if (str_eq(list->v[i], STR("all"))) {
			bits = (1u << n) - 1;
			continue;
		}
		if (str_eq(list->v[i], STR("none")))
			continue;
		while (k < n && !str_eq(list->v[i], str_from(names[k])))
			k++;
		if (k == n)
			return diag_fail(why, ST_SYNTAX,
					 "--%s does not know '" STR_FMT "'", option,
					 STR_ARG(list->v[i]));
		bits |= 1u << k;
	}
	*ret = bits;
	return ST_OK;
}

enum status web_make(const struct web_settings *s, struct world *ret, struct diag *why)
{
	struct world_options o = {
		.seed = s->seed,
		.pages = s->pages,
		.hosts = s->hosts,
		.hosts_per_address = s->per_address,
		.day = s->day,
		.trouble_share = s->trouble_share,
		.alias_share = s->alias_share,
		.words_scale = s->words,
		.hurry = !s->crawl_delays,
		.kinds = (1u << KINDS) - 1,
		.traps = (1u << TRAPS) - 1,
	};

	TRY(choose(&s->kinds, kind_names, KINDS, "kinds", &o.kinds, why));
	TRY(choose(&s->traps, trap_names, TRAPS, "traps", &o.traps, why));
	TRY(choose(&s->trouble, trouble_names, TROUBLES, "trouble", &o.troubles, why));
	TRY(choose(&s->ways, way_names, WAYS, "ways", &o.ways, why));
	return world_init(ret, &o, why);
}

void web_settings_release(struct web_settings *s)
{
	str_list_release(&s->kinds);
	str_list_release(&s->traps);
	str_list_release(&s->trouble);
	str_list_release(&s->ways);
}

const char *web_c_string(struct args *args, struct str s)
{
	if (s.n == 0)
		return NULL;
	char *text = arena_alloc(&args->bytes, s.n + 1);

	for (size_t i = 0; i < s.n; i++)
		text[i] = s.p[i];
	text[s.n] = '\0';
	return text;
}

static const struct command *const children[] = { &cmd_testweb_serve,
						  &cmd_testweb_manifest,
						  &cmd_testweb_score, &cmd_testweb_check,
						  NULL };

const struct command cmd_testweb = {
	.name = "testweb",
	.summary = "a synthetic web with a known truth, to test crawlers against",
	.operands = "",
	.about = "Serves a web in which lost content and wasted requests can be counted.",
	.children = children,
};
