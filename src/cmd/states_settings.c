#include <stdio.h>
#include <string.h>

#include "cmd/args.h"
#include "cmd/commands.h"
#include "cmd/states_settings.h"
#include "os/file.h"
#include "url/url.h"

#define CHECK_BYTES_MAX ((size_t)1 << 20)

int states_origin(struct str text, struct arena *a, struct explore_options *o)
{
	cleanup(buf_release) struct buf scratch = { 0 }, origin_scratch = { 0 };
	struct url url;
	struct diag why;

	if (url_parse(text, NULL, &scratch, &url, &why) != ST_OK ||
	    !(url_is_http(&url) || url.scheme_kind == URL_FILE)) {
		fprintf(stderr, "thresh states: not a URL of the web: '" STR_FMT "'\n",
			STR_ARG(text));
		return EXIT_USAGE;
	}
	o->url = arena_copy(a, url.href);
	o->guard.origin = url.scheme_kind == URL_FILE
				  ? STR("file://")
				  : arena_copy(a, url_origin(&url, &origin_scratch));
	return EXIT_FINE;
}

char *arena_cstr_or_null(struct arena *a, struct str s)
{
	if (s.n == 0)
		return NULL;
	char *c = arena_alloc(a, s.n + 1);

	memcpy(c, s.p, s.n);
	c[s.n] = '\0';
	return c;
}

/* What of --strip are selectors; the rest is the content's business. */
static struct str_list selectors_of(const struct str_list *strip, struct arena *a)
{
	struct str_list l = { .v = arena_alloc(a, (strip->n + 1) * sizeof(*l.v)) };

	for (size_t i = 0; i < strip->n; i++)
		if (!content_strip_word(strip->v[i]))
			l.v[l.n++] = strip->v[i];
	return l;
}

void states_fill_options(const struct states_settings *s, struct arena *a,
			 struct explore_options *o)
{
	o->guard.allow_destructive = s->allow_destructive;
	o->guard.include = s->include;
	o->guard.exclude = s->exclude;
	o->values = s->values;
	o->wall.writes = (enum wall_writes)s->writes;
	o->wall.hosts = s->hosts;
	o->strip = selectors_of(&s->strip, a);
	o->max_states = s->max_states;
	o->max_depth = s->max_depth;
	o->max_events = s->max_events;
	o->max_ms = s->max_ms;
	o->max_visits = s->max_visits;
	o->worth = s->worth;
	o->enough = s->enough;
	o->max_fired = s->max_fired;
	o->settle_ms = s->settle_ms;
	o->scroll = s->scroll;
	o->addresses = s->addresses;
	o->no_screenshots = !s->screenshots;
	o->max_traffic = s->max_traffic;
	o->tab.record_traffic = s->max_traffic > 0;
	o->browser.program = arena_cstr_or_null(a, s->browser);
	o->browser.ws_url = arena_cstr_or_null(a, s->attach);
	o->browser.trust_any_certificate = s->insecure;
	o->tab.width = (uint32_t)s->width;
	o->tab.height = (uint32_t)s->height;
	o->tab.locale = arena_cstr_or_null(a, s->locale);
	o->tab.timezone = arena_cstr_or_null(a, s->timezone);
	o->tab.seed = s->seed;
	o->tab.real_time = s->real_time;
	o->tab.request_ms = (uint32_t)s->request_ms;
	if (s->connect_to.n) {
		cleanup(buf_release) struct buf b = { 0 };

		buf_add(&b, STR("MAP * "));
		buf_add(&b, s->connect_to);
		o->browser.host_rules = arena_cstr_or_null(a, buf_str(&b));
	}
}

enum status states_load_checks(const struct states_settings *s, struct arena *a,
			       struct explore_options *o, struct diag *why)
{
	struct check_list *l = &o->checks;

	l->accessibility = s->accessibility;
	l->html = s->validate;
	l->v = arena_alloc(a, (s->checks.n + 1) * sizeof(*l->v));
	for (size_t i = 0; i < s->checks.n; i++) {
		cleanup(buf_release) struct buf text = { 0 };
		struct str path = s->checks.v[i];
		size_t slash = str_rfind_char(path, '/');

		TRY(file_load(arena_cstr_or_null(a, path), CHECK_BYTES_MAX, &text, why));
		l->v[l->n++] = (struct check){
			slash == STR_NONE ? path : str_skip(path, slash + 1),
			arena_copy(a, buf_str(&text)),
		};
	}
	return ST_OK;
}

void states_describe(const struct states_settings *s, struct str url, struct buf *to)
{
	struct json_out o = { .to = to };

	json_open(&o, '{');
	json_put_str(&o, "url", url);
	for (const struct option_row *row = states_options; row->name; row++) {
		cleanup(buf_release) struct buf text = { 0 };

		if (states_option_is_free(row->name))
			continue;
		option_format(row, s, &text);
		json_put_str(&o, row->name, buf_str(&text));
	}
	json_close(&o, '}');
}

enum status states_restore(struct states_settings *s, const char *dir, struct arena *a,
			   struct str *ret_url, struct diag *why)
{
	cleanup(buf_release) struct buf b = { 0 };
	struct json *all = NULL;
	enum status st = ST_OK;

	TRY(model_settings(dir, &b, why));
	TRY(json_parse(buf_str(&b), &all, why));
	*ret_url = arena_copy(a, json_str(json_get(all, "url")));
	for (const struct json *v = json_first(all); v && st == ST_OK; v = json_next(v)) {
		const struct option_row *row = option_find(states_options, json_name(v));

		if (row && !states_option_is_free(row->name) && json_str(v).n)
			st = option_set(row, s, json_str(v), a, why);
	}
	json_release(&all);
	return st;
}

enum status states_read_content(struct str settings, struct content *ret,
				struct diag *why)
{
	struct json *all = NULL;

	TRY(json_parse(settings, &all, why));
	enum status st = content_parse(all, ret, why);
	json_release(&all);
	return st;
}

void states_settings_release(struct states_settings *s)
{
	str_list_release(&s->values);
	str_list_release(&s->include);
	str_list_release(&s->exclude);
	str_list_release(&s->strip);
	str_list_release(&s->hosts);
	str_list_release(&s->checks);
}
