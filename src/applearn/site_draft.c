#include "applearn/site_learner.h"
#include "base/encode.h"
#include "base/hash.h"
#include "base/map.h"

/* --- one rule per form --- */

static bool is_left_out(const struct site_learner *l, uint32_t form)
{
	return l->learnt[l->forms.forms[form].family].use == FORM_REPEATS;
}

static bool is_wanted(const struct site_learner *l, uint32_t form)
{
	uint8_t use = l->learnt[l->forms.forms[form].family].use;

	return use == FORM_CONTENT || use == FORM_WAY;
}

static bool has_part(const struct url_form *f, const struct form_part *p, bool with_value)
{
	for (size_t k = f->n_path; k < f->n; k++)
		if (str_eq(f->parts[k].name, p->name) &&
		    (!with_value || str_eq(f->parts[k].value, p->value)))
			return true;
	return false;
}

static bool wanted_has(const struct site_learner *l, uint32_t form,
		       const struct form_part *p, bool with_value)
{
	for (uint32_t i = 0; i < l->forms.n_forms; i++)
		if (is_wanted(l, i) &&
		    url_form_same_path(&l->forms.forms[i], &l->forms.forms[form]) &&
		    (!p || has_part(&l->forms.forms[i], p, with_value)))
			return true;
	return false;
}

static bool is_word(const struct form_part *p)
{
	return p->has_value && !str_eq(p->value, STR("*")) &&
	       str_find_char(p->value, '#') == STR_NONE && p->value.n > 0;
}

static void add_part_regex(const struct form_part *p, bool with_value, struct buf *to)
{
	buf_add(to, STR("\\?(.*[&;])?"));
	form_value_regex(p->name, "[^&=]+", to);
	if (with_value && p->has_value) {
		buf_add_char(to, '=');
		form_value_regex(p->value, "[^&;]*", to);
		buf_add(to, STR("([&;]|$)"));
	} else {
		buf_add(to, STR("([=&;]|$)"));
	}
}

/*
 * What tells a form that is left out from those that are wanted: its path, a parameter,
 * or a parameter's word; then it holds for further ones, too.  Otherwise all of it.
 */
static void add_telling_regex(const struct site_learner *l, uint32_t form, struct buf *to)
{
	const struct url_form *f = &l->forms.forms[form];

	if (!wanted_has(l, form, NULL, false)) {
		url_form_path_regex(f, to);
		buf_add(to, STR("(\\?|$)"));
		return;
	}
	for (int with_value = 0; with_value < 2; with_value++)
		for (size_t k = f->n_path; k < f->n; k++) {
			const struct form_part *p = &f->parts[k];

			if ((with_value && !is_word(p)) ||
			    wanted_has(l, form, p, with_value))
				continue;
			url_form_path_regex(f, to);
			add_part_regex(p, with_value, to);
			return;
		}
	url_form_regex(f, to);
}

/* --- the file --- */

static void add_attr(struct buf *to, const char *name, struct str value)
{
	buf_addf(to, " %s=\"", name);
	buf_add_markup(to, value);
	buf_add_char(to, '"');
}

static void add_rule(struct buf *to, const char *element, struct str regex,
		     unsigned score, struct str why)
{
	buf_addf(to, "  <%s", element);
	add_attr(to, "url", regex);
	if (score)
		buf_addf(to, " score=\"%u\"", score);
	add_attr(to, "why", why);
	buf_add(to, STR("/>\n"));
}

static void add_views(const struct site_learner *l, struct buf *to)
{
	cleanup(buf_release) struct buf regex = { 0 }, why = { 0 };
	cleanup(map_release) struct map said = { 0 };

	for (uint32_t i = 0; i < l->forms.n_forms; i++) {
		const struct learnt_form *f = &l->learnt[l->forms.forms[i].family];
		bool is_new;

		if (!is_left_out(l, i))
			continue;
		buf_reset(&regex);
		add_telling_regex(l, i, &regex);
		map_add(&said, hash64(buf_str(&regex)), &is_new);
		if (!is_new)
			continue;
		buf_reset(&why);
		buf_addf(&why, "%u pages like ", f->pages);
		url_form_format(&l->forms.forms[i], &why);
		buf_addf(&why, " had %u of %u runs of words to themselves", f->own_runs,
			 f->runs);
		add_rule(to, "view", buf_str(&regex), 0, buf_str(&why));
	}
}

static void add_wanted(const struct site_learner *l, struct buf *to)
{
	cleanup(buf_release) struct buf regex = { 0 }, why = { 0 };

	for (uint32_t i = 0; i < l->forms.n_forms; i++) {
		const struct url_form *f = &l->forms.forms[i];
		const struct learnt_form *family = &l->learnt[f->family];
		bool pager = f->pager != FORM_NONE;

		if (!is_wanted(l, i))
			continue;
		buf_reset(&regex);
		url_form_regex(f, &regex);
		buf_reset(&why);
		buf_addf(&why, "%s, %u pages",
			 family->use == FORM_CONTENT ? "content" : "the way to content",
			 family->pages);
		add_rule(to, pager ? "next" : "follow", buf_str(&regex),
			 family->use == FORM_CONTENT ? 80 : 75, buf_str(&why));
	}
}

/* A level per form that is wanted; further pages are of the level of their first. */
static void add_levels(const struct site_learner *l, struct buf *to)
{
	cleanup(buf_release) struct buf regex = { 0 }, name = { 0 };
	unsigned nr = 0;

	for (uint32_t i = 0; i < l->forms.n_forms; i++) {
		if (!is_wanted(l, i) || l->forms.forms[i].family != i)
			continue;
		buf_reset(&name);
		url_form_format(&l->forms.forms[i], &name);
		buf_addf(to, "  <level id=\"%s%u\"",
			 l->learnt[i].use == FORM_CONTENT ? "content" : "list", ++nr);
		add_attr(to, "name", buf_str(&name));
		buf_add(to, STR("><when>"));
		for (uint32_t k = 0; k < l->forms.n_forms; k++) {
			if (l->forms.forms[k].family != i)
				continue;
			buf_reset(&regex);
			buf_add(&regex, STR("^https?://[^/]+"));
			buf_reset(&name);
			url_form_regex(&l->forms.forms[k], &name);
			buf_add(&regex, str_skip(buf_str(&name), 1));
			buf_add(to, STR("<url"));
			add_attr(to, "match", buf_str(&regex));
			buf_add(to, STR("/>"));
		}
		buf_add(to, STR("</when></level>\n"));
	}
}

void site_draft(const struct site_learner *l, struct str id, struct buf *to)
{
	cleanup(buf_release) struct buf host = { 0 };

	form_value_regex(l->server, "", &host);
	buf_add(to, STR("<application"));
	add_attr(to, "id", id);
	buf_add(to, STR(" name=\"Draft: "));
	buf_add_markup(to, l->server);
	buf_addf(
		to,
		"\" draft=\"yes\">\n  <about>Learnt from %zu pages; %zu of them would be "
		"fetched again. Edit the names, the levels and what to take out; add "
		"what makes the software recognisable elsewhere.</about>\n"
		"  <detect><url",
		l->n, site_learner_kept(l));
	cleanup(buf_release) struct buf match = { 0 };
	buf_add_char(&match, '^');
	buf_add(&match, buf_str(&host));
	buf_add(&match, STR("(/|$)"));
	add_attr(to, "match", buf_str(&match));
	buf_add(to, STR(" weight=\"100\"/></detect>\n"));
	add_levels(l, to);
	add_wanted(l, to);
	add_views(l, to);
	buf_add(to, STR("</application>\n"));
}
