#include "cluster/place.h"

#include <string.h>

#include "base/buf.h"
#include "port/bus.h"

#define PARTITIONS 64
#define SESSION_MS 6000
#define LEASE_MS   30000

static const char *c_string(struct arena *a, struct str s)
{
	char *p = arena_alloc(a, s.n + 1);

	memcpy(p, s.p, s.n);
	p[s.n] = '\0';
	return p;
}

static bool is_name(struct str s)
{
	for (size_t i = 0; i < s.n; i++)
		if (!ascii_is_alpha(s.p[i]) && !ascii_is_digit(s.p[i]) && s.p[i] != '-' &&
		    s.p[i] != '_' && s.p[i] != '.')
			return false;
	return s.n > 0 && s.n <= CLUSTER_NAME_MAX;
}

struct reading {
	struct cluster_place *p;
	struct buf brokers, properties;
	struct str name;
	struct diag *why;
};

/* --- kafka:// --- */

/* Ours, or else the library's. */
static enum status read_setting(struct reading *r, struct str one)
{
	const struct {
		struct str name;
		uint32_t *to;
		uint32_t min, max;
	} ours[] = {
		{ STR("partitions="), &r->p->partitions, 1, BUS_PARTITIONS_MAX },
		{ STR("session="), &r->p->session_ms, 1000, 600000 },
		{ STR("lease="), &r->p->lease_ms, 3000, 600000 },
	};
	uint64_t v;

	for (size_t i = 0; i < COUNT(ours); i++) {
		if (!str_starts(one, ours[i].name))
			continue;
		if (!str_to_uint(str_skip(one, ours[i].name.n), ours[i].max, &v) ||
		    v < ours[i].min)
			return diag_fail(r->why, ST_SYNTAX,
					 "--cluster: " STR_FMT "%u to %u is wanted",
					 STR_ARG(ours[i].name), ours[i].min, ours[i].max);
		*ours[i].to = (uint32_t)v;
		return ST_OK;
	}
	if (r->properties.n)
		buf_add_char(&r->properties, '&');
	buf_add(&r->properties, one);
	return ST_OK;
}

static enum status read_brokers(struct reading *r, struct str rest)
{
	size_t q = str_find_char(rest, '?');
	struct str settings = q == STR_NONE ? STR("") : str_skip(rest, q + 1), one;

	rest = str_slice(rest, 0, q == STR_NONE ? rest.n : q);
	size_t slash = str_find_char(rest, '/');
	struct str host = str_slice(rest, 0, slash == STR_NONE ? rest.n : slash);
	struct str name = slash == STR_NONE ? STR("") : str_skip(rest, slash + 1);

	if (host.n == 0 || str_find_char(host, '@') != STR_NONE)
		return diag_fail(r->why, ST_SYNTAX,
				 "--cluster: kafka://HOST:PORT/NAME is wanted");
	if (name.n > 0 && r->name.n > 0 && !str_eq(name, r->name))
		return diag_fail(r->why, ST_SYNTAX, "--cluster: two names of one crawl");
	if (name.n > 0 && !is_name(name))
		return diag_fail(r->why, ST_SYNTAX,
				 "--cluster: a crawl's name is of letters, digits and "
				 ".-_, 100 at most");
	r->name = name.n ? name : r->name;
	if (r->brokers.n)
		buf_add_char(&r->brokers, ',');
	buf_add(&r->brokers, host);
	while (str_take_until(&settings, '&', &one))
		if (one.n > 0)
			TRY(read_setting(r, one));
	return ST_OK;
}

/* --- the whole --- */

static enum status read_one(struct reading *r, struct str one)
{
	struct str rest = one;

	if (str_take_prefix(&rest, STR("kafka://")))
		return read_brokers(r, rest);
	if (str_take_prefix(&rest, STR("pg://")) ||
	    str_take_prefix(&rest, STR("postgresql://"))) {
		cleanup(buf_release) struct buf b = { 0 };

		/* A server that is silent must not hold the leases up. */
		buf_add(&b, STR("postgresql://"));
		buf_add(&b, rest);
		buf_add_char(&b, str_find_char(rest, '?') == STR_NONE ? '?' : '&');
		buf_add(&b, STR("connect_timeout=5&tcp_user_timeout=5000"));
		r->p->database = c_string(&r->p->bytes, buf_str(&b));
		return ST_OK;
	}
	if (str_starts(one, STR("s3://"))) {
		r->p->blobs = arena_copy(&r->p->bytes, one);
		return ST_OK;
	}
	return diag_fail(r->why, ST_SYNTAX,
			 "--cluster: '" STR_FMT "' is none of kafka://, pg://, s3://",
			 (int)MIN(one.n, 80), one.p);
}

static const char *named(struct cluster_place *p, const char *before, struct str name,
			 const char *after)
{
	cleanup(buf_release) struct buf b = { 0 };

	buf_addf(&b, "%s" STR_FMT "%s", before, STR_ARG(name), after);
	return c_string(&p->bytes, buf_str(&b));
}

static enum status finish(struct reading *r)
{
	struct cluster_place *p = r->p;

	if (r->brokers.n == 0 || !p->database)
		return diag_fail(
			r->why, ST_SYNTAX,
			"--cluster: kafka://HOST:PORT and pg://HOST/DATABASE are "
			"both needed");
	struct str name = r->name.n ? r->name : STR("thresh");
	p->name = named(p, "", name, "");
	p->topic = named(p, "thresh.", name, "");
	p->group = named(p, "thresh.", name, ".nodes");
	p->dead_letters = named(p, "thresh.", name, ".dead");
	p->kafka.brokers = arena_copy(&p->bytes, buf_str(&r->brokers));
	p->kafka.properties = arena_copy(&p->bytes, buf_str(&r->properties));
	return ST_OK;
}

enum status cluster_place_parse(struct str text, struct cluster_place *ret,
				struct diag *why)
{
	struct cluster_place p = { .blobs = STR(""),
				   .partitions = PARTITIONS,
				   .session_ms = SESSION_MS,
				   .lease_ms = LEASE_MS };
	struct reading r = { .p = &p, .name = STR(""), .why = why };
	enum status st = ST_OK;
	struct str one;

	while (st == ST_OK && str_take_until(&text, ',', &one))
		st = read_one(&r, str_trim(one));
	if (st == ST_OK)
		st = finish(&r);
	buf_release(&r.brokers);
	buf_release(&r.properties);
	if (st != ST_OK) {
		cluster_place_release(&p);
		return st;
	}
	*ret = p;
	return ST_OK;
}

void cluster_place_release(struct cluster_place *p)
{
	arena_release(&p->bytes);
	*p = (struct cluster_place){ 0 };
}
