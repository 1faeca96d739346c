/*
 * rules_view.c - the URL rules of a crawl, and a person's word on one of them.
 *
 * A change goes to the rule file, as by an editor; the crawl looks at its files every
 * few seconds, and on POST /reload.
 */
#include "dust/rule_file.h"
#include "os/file.h"
#include "serve/views.h"

static enum status load_rules(const struct service *s, struct rule_set *ret,
			      struct diag *why)
{
	cleanup(arena_release) struct arena a = { 0 };
	char *dir = path_join(&a, s->dir, STR("rules"));

	return dir_exists(dir) ? rules_load(dir, ret, why) : ST_OK;
}

static void format_rule(const struct rule *r, struct json_out *o)
{
	const struct rule_evidence *e = &r->evidence;
	cleanup(buf_release) struct buf id = { 0 };

	rule_add_id(&id, r->text);
	json_open(o, '{');
	json_put_str(o, "id", buf_str(&id));
	json_put_str(o, "rule", r->text);
	json_put_str(o, "state", rule_state_words[r->state]);
	json_put_bool(o, "universal", r->universal);
	json_key(o, STR("sites"));
	json_open(o, '[');
	for (uint32_t i = 0; i < MIN(r->n_sites, 20u); i++)
		json_add_str(o, r->sites[i]);
	json_close(o, ']');
	json_put_uint(o, "frequency", e->frequency);
	json_put_uint(o, "support", e->support);
	json_put_uint(o, "wrong", e->wrong);
	json_put_uint(o, "probes", e->probes);
	json_put_uint(o, "contradictions", e->contradictions);
	json_put_uint(o, "skipped", e->skipped);
	json_close(o, '}');
}

void view_rules(struct service *s, const struct request *q, struct response *r)
{
	cleanup(rule_set_release) struct rule_set rules = { 0 };
	struct json_out o = { .to = &r->body };
	struct diag why;
	enum status st = load_rules(s, &rules, &why);

	(void)q;
	if (st != ST_OK) {
		response_failure(r, st, &why);
		return;
	}
	r->status = 200;
	r->content_type = "application/json";
	json_open(&o, '{');
	json_key(&o, STR("rules"));
	json_open(&o, '[');
	for (size_t i = rules.n; i-- > 0;) /* the newest first */
		format_rule(&rules.v[i], &o);
	json_close(&o, ']');
	json_close(&o, '}');
	buf_add_char(&r->body, '\n');
}

/* --- a change --- */

static enum status parse_change(struct str body, struct buf *id, enum rule_state *ret,
				struct diag *why)
{
	cleanup(json_release) struct json *root = NULL;

	TRY(json_parse(body, &root, why));
	struct str action = json_str(json_get(root, "action"));
	for (const struct json *v = json_first(root); v; v = json_next(v))
		if (!str_eq(json_name(v), STR("id")) &&
		    !str_eq(json_name(v), STR("action")))
			return diag_fail(why, ST_SYNTAX,
					 "the fields are \"id\" and \"action\"");
	buf_add(id, json_str(json_get(root, "id")));
	if (str_eq(action, STR("accept")))
		*ret = RULE_VALID;
	else if (str_eq(action, STR("disable")))
		*ret = RULE_DISABLED;
	else
		return diag_fail(why, ST_SYNTAX,
				 "\"action\" must be \"accept\" or \"disable\"");
	return ST_OK;
}

static struct rule *find_rule(struct rule_set *rules, struct str wanted)
{
	for (size_t i = 0; i < rules->n; i++) {
		cleanup(buf_release) struct buf id = { 0 };

		rule_add_id(&id, rules->v[i].text);
		if (str_eq(buf_str(&id), wanted))
			return &rules->v[i];
	}
	return NULL;
}

/* In the file that the crawl writes; what a person wrote is for that person. */
static enum status set_state(const struct service *s, struct str id, enum rule_state to,
			     struct diag *why)
{
	cleanup(arena_release) struct arena a = { 0 };
	cleanup(rule_set_release) struct rule_set rules = { 0 };
	char *path = path_join(&a, s->dir, STR("rules/learned.rules"));

	if (file_exists(path))
		TRY(rules_load(path, &rules, why));
	struct rule *r = find_rule(&rules, id);
	if (!r)
		return diag_fail(why, ST_NOT_FOUND,
				 "no rule with this id was learnt in this crawl");
	r->state = to;
	return rules_save(path, &rules, why);
}

void change_rule(struct service *s, const struct request *q, struct response *r)
{
	cleanup(buf_release) struct buf id = { 0 };
	enum rule_state to;
	struct diag why;
	enum status st = parse_change(q->body, &id, &to, &why);

	if (st == ST_OK)
		st = set_state(s, buf_str(&id), to, &why);
	if (st != ST_OK) {
		response_failure(r, st, &why);
		return;
	}
	r->status = 200;
	r->content_type = "application/json";
	buf_addf(&r->body, "{\"id\":\"" STR_FMT "\",\"state\":\"" STR_FMT "\"}\n",
		 STR_ARG(buf_str(&id)), STR_ARG(rule_state_words[to]));
}
