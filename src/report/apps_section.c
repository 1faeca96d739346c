#include "report/apps_section.h"

#include "base/encode.h"
#include "base/utf8.h"

#define SITES_MAX  25
#define WHOLES_MAX 25 /* incomplete ones that are named, per site */

static void add_escaped(struct buf *b, struct str s)
{
	cleanup(buf_release) struct buf clean = { 0 };

	buf_add_utf8_repaired(&clean, s);
	buf_add_markup(b, buf_str(&clean));
}

static void add_levels(const struct app_site *site, struct buf *b)
{
	buf_add(b, STR("<table><tr><th>level<th class=n>pages<th class=n>objects<th "
		       "class=n>wholes<th class=n>incomplete"));
	for (size_t i = 0; i < site->n_levels; i++) {
		const struct app_level_sum *l = &site->levels[i];

		buf_add(b, STR("<tr><td>"));
		add_escaped(b, l->level.n ? l->level : STR("unknown"));
		buf_addf(b,
			 "<td class=n>%llu<td class=n>%llu<td class=n>%llu<td "
			 "class=n>%llu",
			 (unsigned long long)l->pages, (unsigned long long)l->objects,
			 (unsigned long long)l->wholes,
			 (unsigned long long)l->incomplete);
	}
	buf_add(b, STR("</table>"));
}

static void add_incomplete(const struct app_summary *s, uint32_t site, struct buf *b)
{
	cleanup(buf_release) struct buf text = { 0 };
	size_t n = 0;

	for (size_t i = 0; i < s->n_wholes && n < WHOLES_MAX; i++) {
		const struct app_whole_sum *w = &s->wholes[i];

		if (w->site != site || app_whole_is_complete(w))
			continue;
		if (n++ == 0)
			buf_add(b, STR("<table><tr><th>incomplete<th>what there is"));
		buf_add(b, STR("<tr><td>"));
		add_escaped(b, w->url);
		buf_add(b, STR("<td>"));
		buf_reset(&text);
		app_whole_format(w, &text);
		add_escaped(b, buf_str(&text));
	}
	buf_add(b, n ? STR("</table>") : STR(""));
}

void apps_section_add(const struct app_summary *s, struct buf *to)
{
	for (uint32_t i = 0; i < MIN(s->n, (size_t)SITES_MAX); i++) {
		const struct app_site *site = &s->sites[i];

		buf_add(to, STR("<section><h2>Application: "));
		add_escaped(to, site->application);
		buf_add(to, STR(" on "));
		add_escaped(to, site->server);
		buf_addf(to,
			 "</h2><p>%llu pages, %llu objects (objects.jsonl). Links on "
			 "them: "
			 "%llu wanted, %llu left out as views or actions. %llu URLs of "
			 "the server failed.</p>",
			 (unsigned long long)site->pages,
			 (unsigned long long)site->objects,
			 (unsigned long long)site->wanted,
			 (unsigned long long)site->left_out,
			 (unsigned long long)site->failed);
		add_levels(site, to);
		add_incomplete(s, i, to);
		buf_add(to, STR("</section>"));
	}
}
