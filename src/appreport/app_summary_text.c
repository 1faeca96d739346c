#include "appreport/app_summary.h"
#include "base/json.h"

void app_whole_format(const struct app_whole_sum *w, struct buf *to)
{
	if (w->has_total)
		buf_addf(to, "%llu of %llu", (unsigned long long)w->objects,
			 (unsigned long long)w->total);
	else
		buf_addf(to, "%llu", (unsigned long long)w->objects);
	buf_addf(to, " objects on %llu page%s", (unsigned long long)w->pages,
		 w->pages == 1 ? "" : "s");
	for (size_t i = 0; i < MIN(w->n_missing, (uint64_t)MISSING_MAX); i++)
		buf_addf(to, "%s" STR_FMT,
			 i ? ", " : "; missing: ", STR_ARG(w->missing[i]));
	if (w->n_missing > MISSING_MAX)
		buf_addf(to, " and %llu more",
			 (unsigned long long)(w->n_missing - MISSING_MAX));
}

static void put_whole(struct json_out *o, const struct app_whole_sum *w)
{
	json_open(o, '{');
	json_put_str(o, "url", w->url);
	json_put_str(o, "level", w->level);
	json_put_uint(o, "pages", w->pages);
	json_put_uint(o, "objects", w->objects);
	if (w->has_total)
		json_put_uint(o, "total", w->total);
	json_put_bool(o, "complete", app_whole_is_complete(w));
	json_put_uint(o, "missing_pages", w->n_missing);
	json_key(o, STR("missing"));
	json_open(o, '[');
	for (size_t i = 0; i < MIN(w->n_missing, (uint64_t)MISSING_MAX); i++)
		json_add_str(o, w->missing[i]);
	json_close(o, ']');
	json_close(o, '}');
}

static void put_site(struct json_out *o, const struct app_summary *s, uint32_t nr)
{
	const struct app_site *site = &s->sites[nr];

	json_open(o, '{');
	json_put_str(o, "application", site->application);
	json_put_str(o, "server", site->server);
	json_put_uint(o, "pages", site->pages);
	json_put_uint(o, "objects", site->objects);
	json_put_uint(o, "links_wanted", site->wanted);
	json_put_uint(o, "links_left_out", site->left_out);
	json_put_uint(o, "failed", site->failed);
	json_key(o, STR("levels"));
	json_open(o, '{');
	for (size_t i = 0; i < site->n_levels; i++) {
		json_key(o, site->levels[i].level);
		json_open(o, '{');
		json_put_uint(o, "pages", site->levels[i].pages);
		json_put_uint(o, "objects", site->levels[i].objects);
		json_put_uint(o, "wholes", site->levels[i].wholes);
		json_put_uint(o, "incomplete", site->levels[i].incomplete);
		json_close(o, '}');
	}
	json_close(o, '}');
	json_key(o, STR("wholes"));
	json_open(o, '[');
	for (size_t i = 0; i < s->n_wholes; i++)
		if (s->wholes[i].site == nr)
			put_whole(o, &s->wholes[i]);
	json_close(o, ']');
	json_close(o, '}');
}

void app_summary_json(const struct app_summary *s, struct buf *to)
{
	struct json_out o = { .to = to };

	json_open(&o, '[');
	for (uint32_t i = 0; i < s->n; i++)
		put_site(&o, s, i);
	json_close(&o, ']');
	buf_add_char(to, '\n');
}

void app_summary_text(const struct app_summary *s, bool all_wholes, struct buf *to)
{
	for (uint32_t i = 0; i < s->n; i++) {
		const struct app_site *site = &s->sites[i];

		buf_addf(to,
			 STR_FMT " on " STR_FMT ": %llu pages, %llu objects; links: %llu "
				 "wanted, %llu left out; %llu URLs failed\n",
			 STR_ARG(site->application), STR_ARG(site->server),
			 (unsigned long long)site->pages,
			 (unsigned long long)site->objects,
			 (unsigned long long)site->wanted,
			 (unsigned long long)site->left_out,
			 (unsigned long long)site->failed);
		for (size_t k = 0; k < site->n_levels; k++) {
			const struct app_level_sum *l = &site->levels[k];

			buf_addf(to,
				 "  %-12.*s %8llu pages %8llu objects %8llu wholes, "
				 "%llu incomplete\n",
				 STR_ARG(l->level.n ? l->level : STR("-")),
				 (unsigned long long)l->pages,
				 (unsigned long long)l->objects,
				 (unsigned long long)l->wholes,
				 (unsigned long long)l->incomplete);
		}
		for (size_t k = 0; k < s->n_wholes; k++) {
			const struct app_whole_sum *w = &s->wholes[k];

			if (w->site != i || (!all_wholes && app_whole_is_complete(w)))
				continue;
			buf_addf(to, "  %s " STR_FMT ": ",
				 app_whole_is_complete(w) ? "complete  " : "incomplete",
				 STR_ARG(w->url));
			app_whole_format(w, to);
			buf_add_char(to, '\n');
		}
	}
}
