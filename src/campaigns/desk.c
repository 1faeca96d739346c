#include "campaigns/desk.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "api/campaign.h"
#include "base/alloc.h"
#include "base/hash.h"
#include "os/file.h"

#define ORDER_MAX  ((size_t)1 << 20)
#define STATUS_MAX ((size_t)4 << 20)

static const char *const wish_words[WISHES] = { "run", "paused", "stopped" };

bool desk_is_name(struct str s)
{
	for (size_t i = 0; i < s.n; i++)
		if (!ascii_is_alpha(s.p[i]) && !ascii_is_digit(s.p[i]) &&
		    !strchr("-_", s.p[i]))
			return false;
	return s.n > 0 && s.n <= CAMPAIGN_NAME_MAX;
}

static char *path_of(const struct desk *d, struct str name, const char *file,
		     struct arena *a)
{
	return path_join(a, path_join(a, d->dir, name), str_from(file));
}

static bool has(const struct desk *d, struct str name)
{
	cleanup(arena_release) struct arena a = { 0 };

	return desk_is_name(name) && file_exists(path_of(d, name, "campaign.json", &a));
}

static enum status not_found(struct str name, struct diag *why)
{
	return diag_fail(why, ST_NOT_FOUND, "there is no campaign '" STR_FMT "'",
			 STR_ARG(str_slice(name, 0, CAMPAIGN_NAME_MAX)));
}

/* --- orders --- */

enum status desk_order(const struct desk *d, struct str body, struct buf *ret_name,
		       struct diag *why)
{
	cleanup(doc_release) struct api_doc doc = { 0 };
	cleanup(catalog_release) struct catalog catalog = { .dir = d->services,
							    .only_names = true };
	cleanup(arena_release) struct arena a = { 0 };
	struct campaign c = { 0 };

	if (body.n > ORDER_MAX)
		return diag_fail(why, ST_TOO_LARGE, "a campaign of more than %zu bytes",
				 ORDER_MAX);
	TRY(doc_parse(&doc, STR("campaign"), body, why));
	enum status st = campaign_parse(&doc, &catalog, &c, why);
	if (st == ST_OK)
		st = dir_make(path_of(d, c.name, "state", &a), why);
	bool is_known = st == ST_OK && has(d, c.name);
	if (st == ST_OK)
		st = file_replace(path_of(d, c.name, "campaign.json", &a), body, why);
	if (st == ST_OK && is_known)
		st = file_replace(path_of(d, c.name, "state/again", &a), STR("again\n"),
				  why);
	if (st == ST_OK)
		st = file_remove(path_of(d, c.name, "state/error", &a), why);
	if (st == ST_OK)
		st = file_replace(path_of(d, c.name, "state/wish", &a), STR("run\n"),
				  why);
	if (st == ST_OK)
		buf_add(ret_name, c.name);
	campaign_release(&c);
	return st == ST_NOT_FOUND ? ST_SYNTAX : st; /* a service that there is not */
}

enum campaign_wish desk_wish_of(const struct desk *d, struct str name)
{
	cleanup(arena_release) struct arena a = { 0 };
	cleanup(buf_release) struct buf text = { 0 };
	char *path = path_of(d, name, "state/wish", &a);

	if (file_exists(path) && file_load(path, 64, &text, NULL) == ST_OK)
		for (unsigned i = 0; i < WISHES; i++)
			if (str_eq(str_trim(buf_str(&text)), str_from(wish_words[i])))
				return (enum campaign_wish)i;
	return WISH_RUN;
}

enum status desk_wish(const struct desk *d, struct str name, enum campaign_wish wish,
		      struct diag *why)
{
	cleanup(arena_release) struct arena a = { 0 };
	cleanup(buf_release) struct buf text = { 0 };

	if (!has(d, name))
		return not_found(name, why);
	if (desk_wish_of(d, name) == WISH_STOP && wish != WISH_STOP)
		return diag_fail(why, ST_DENIED,
				 "the campaign was stopped; POST it again to run it");
	buf_addf(&text, "%s\n", wish_words[wish]);
	return file_replace(path_of(d, name, "state/wish", &a), buf_str(&text), why);
}

enum status desk_names(const struct desk *d, struct arena *a, struct str_list *ret,
		       struct diag *why)
{
	struct str_list all = { 0 };

	if (!dir_exists(d->dir))
		return ST_OK;
	enum status st = dir_list(d->dir, STR(""), a, &all, why);
	for (size_t i = 0; st == ST_OK && i < all.n; i++)
		if (has(d, all.v[i]))
			VEC_ADD(ret->v, ret->n, ret->cap, all.v[i]);
	str_list_release(&all);
	return st;
}

/* --- views --- */

/* The document in a file, as it is; "null" when there is none. */
static void add_file(const struct desk *d, struct str name, const char *file,
		     struct json_out *to)
{
	cleanup(arena_release) struct arena a = { 0 };
	cleanup(buf_release) struct buf text = { 0 };
	cleanup(doc_release) struct api_doc doc = { 0 };
	char *path = path_of(d, name, file, &a);

	if (file_exists(path) && file_load(path, STATUS_MAX, &text, NULL) == ST_OK &&
	    doc_parse(&doc, STR(""), buf_str(&text), NULL) == ST_OK)
		value_add_tree(doc.root, to);
	else
		json_add_null(to);
}

static struct json *load_status(const struct desk *d, struct str name)
{
	cleanup(arena_release) struct arena a = { 0 };
	cleanup(buf_release) struct buf text = { 0 };
	char *path = path_of(d, name, "state/status.json", &a);
	struct json *root = NULL;

	if (!file_exists(path) || file_load(path, STATUS_MAX, &text, NULL) != ST_OK ||
	    json_parse(buf_str(&text), &root, NULL) != ST_OK)
		return NULL;
	return root;
}

static const char *state_of(const struct desk *d, struct str name,
			    const struct json *status)
{
	cleanup(arena_release) struct arena a = { 0 };
	enum campaign_wish wish = desk_wish_of(d, name);

	if (file_exists(path_of(d, name, "state/error", &a)))
		return "failed";
	if (wish != WISH_RUN)
		return wish_words[wish];
	if (!status)
		return "queued";
	return json_bool(json_get(status, "round_ended"), false) ? "complete" : "running";
}

static void add_campaign(const struct desk *d, struct str name, bool with_definition,
			 struct json_out *to)
{
	cleanup(arena_release) struct arena a = { 0 };
	cleanup(buf_release) struct buf error = { 0 };
	cleanup(json_release) struct json *status = load_status(d, name);
	char *path = path_of(d, name, "state/error", &a);

	json_open(to, '{');
	json_put_str(to, "name", name);
	json_put_str(to, "state", str_from(state_of(d, name, status)));
	if (file_exists(path) && file_load(path, 4096, &error, NULL) == ST_OK)
		json_put_str(to, "error", str_trim(buf_str(&error)));
	if (with_definition) {
		json_key(to, STR("definition"));
		add_file(d, name, "campaign.json", to);
	}
	json_key(to, STR("status"));
	if (status)
		value_add_tree(status, to);
	else
		json_add_null(to);
	json_close(to, '}');
}

enum status desk_show(const struct desk *d, struct str name, struct json_out *to,
		      struct diag *why)
{
	if (!has(d, name))
		return not_found(name, why);
	add_campaign(d, name, true, to);
	return ST_OK;
}

void desk_list(const struct desk *d, struct json_out *to)
{
	cleanup(arena_release) struct arena a = { 0 };
	struct str_list names = { 0 };
	struct diag why;

	json_open(to, '[');
	if (desk_names(d, &a, &names, &why) == ST_OK)
		for (size_t i = 0; i < names.n; i++)
			add_campaign(d, names.v[i], false, to);
	json_close(to, ']');
	str_list_release(&names);
}

/* --- workload --- */

static double number(const struct json *v, const char *name)
{
	return json_number(json_get(v, name), 0);
}

static void put_number(struct json_out *to, const char *name, double v)
{
	json_put_uint(to, name, v > 0 ? (uint64_t)v : 0);
}

static void add_row(const struct desk *d, struct str name, const struct json *status,
		    struct json_out *to)
{
	json_open(to, '{');
	json_put_str(to, "name", name);
	json_put_str(to, "state", str_from(state_of(d, name, status)));
	put_number(to, "pending", number(status, "pending"));
	put_number(to, "requests", number(json_get(status, "total"), "requests"));
	put_number(to, "last_hour", number(status, "last_hour"));
	json_close(to, '}');
}

/* All campaigns of a folder share the budgets: the newest status has them. */
static void add_budgets(const struct json *newest, struct json_out *to)
{
	json_key(to, STR("budgets"));
	json_open(to, '[');
	for (const struct json *b = json_first(json_get(newest, "budgets")); b;
	     b = json_next(b)) {
		double limit = number(b, "limit"), spent = number(b, "spent");

		json_open(to, '{');
		json_put_str(to, "bucket", json_str(json_get(b, "bucket")));
		put_number(to, "window_ms", number(b, "window_ms"));
		put_number(to, "limit", limit);
		put_number(to, "spent", spent);
		put_number(to, "left", limit - spent);
		json_close(to, '}');
	}
	json_close(to, ']');
}

void desk_workload(const struct desk *d, struct json_out *to)
{
	cleanup(arena_release) struct arena a = { 0 };
	cleanup(json_release) struct json *newest = NULL;
	struct str_list names = { 0 };
	double pending = 0, requests = 0, hour = 0;
	struct diag why;
	enum status st = desk_names(d, &a, &names, &why);

	json_open(to, '{');
	json_key(to, STR("campaigns"));
	json_open(to, '[');
	for (size_t i = 0; st == ST_OK && i < names.n; i++) {
		struct json *status = load_status(d, names.v[i]);

		add_row(d, names.v[i], status, to);
		pending += number(status, "pending");
		requests += number(json_get(status, "total"), "requests");
		hour += number(status, "last_hour");
		if (str_cmp(json_str(json_get(status, "time")),
			    json_str(json_get(newest, "time"))) > 0)
			SWAP(newest, status);
		json_release(&status);
	}
	json_close(to, ']');
	json_key(to, STR("overall"));
	json_open(to, '{');
	put_number(to, "pending", pending);
	put_number(to, "requests", requests);
	put_number(to, "last_hour", hour);
	json_close(to, '}');
	add_budgets(newest, to);
	json_close(to, '}');
	str_list_release(&names);
}

/* --- for the host --- */

uint64_t desk_signature(const struct desk *d)
{
	cleanup(arena_release) struct arena a = { 0 };
	cleanup(buf_release) struct buf b = { 0 };
	struct str_list names = { 0 };
	struct diag why;

	if (desk_names(d, &a, &names, &why) != ST_OK)
		return 0;
	for (size_t i = 0; i < names.n; i++) {
		struct stat st;

		buf_add_sized(&b, names.v[i]);
		buf_add_u8(&b, (uint8_t)desk_wish_of(d, names.v[i]));
		buf_add_u8(&b, file_exists(path_of(d, names.v[i], "state/error", &a)));
		if (stat(path_of(d, names.v[i], "campaign.json", &a), &st) == 0) {
			buf_add_u64(&b, (uint64_t)st.st_mtim.tv_sec);
			buf_add_u64(&b, (uint64_t)st.st_mtim.tv_nsec);
			buf_add_u64(&b, (uint64_t)st.st_ino);
		}
	}
	str_list_release(&names);
	return hash64(buf_str(&b));
}
