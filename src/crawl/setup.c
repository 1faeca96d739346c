#include "crawl/setup.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "crawl/loop.h"
#include "crawl/reload.h"
#include "crawl/round.h"
#include "engine/focused.h"
#include "engine/url_rules.h"
#include "fetch/auth.h"
#include "spec/seeds.h"
#include "url/normal.h"

/* --- frontier --- */

static uint32_t ms32(uint64_t ms)
{
	return (uint32_t)MIN(ms, UINT32_MAX / 2);
}

static void fill_politeness(const struct crawl_settings *s, struct politeness *p)
{
	p[LANE_HOST] = (struct politeness){
		.at_once = (uint32_t)s->per_host,
		.factor = s->delay_factor,
		.min_ms = ms32(s->delay_ms),
		.max_ms = ms32(s->delay_max_ms),
		.crawl_delay_max_ms = ms32(s->crawl_delay_max_ms),
		.retry_after_max_ms = ms32(s->retry_after_max_ms),
		.backoff_ms = ms32(s->backoff_ms),
		.backoff_max_ms = ms32(s->backoff_max_ms),
	};
	p[LANE_DOMAIN] = (struct politeness){ .at_once = (uint32_t)s->per_domain,
					      .min_ms = ms32(s->domain_delay_ms) };
	p[LANE_ADDRESS] = (struct politeness){ .at_once = (uint32_t)s->per_address,
					       .min_ms = ms32(s->address_delay_ms) };
	p[LANE_GROUP] = (struct politeness){ .at_once = (uint32_t)s->per_group,
					     .min_ms = ms32(s->group_delay_ms) };
}

static struct budget_settings budget_of(const struct crawl_settings *s)
{
	return (struct budget_settings){
		.max_pages = s->max_pages,
		.max_bytes = s->max_bytes,
		.max_time_ms = s->max_time_ms,
		.host_pages = s->host_pages,
		.host_bytes = s->host_bytes,
		.host_sitemaps = s->host_sitemaps,
		.domain_pages = s->domain_pages,
		.domain_per_degree = s->domain_per_link,
		.domain_pages_max = s->domain_max,
		.degree_max = 10000,
	};
}

static enum status fill_scope(struct scope *scope, const struct crawl_settings *s,
			      const struct str_list *seeds, struct diag *why)
{
	struct buf scratch[2] = { { 0 }, { 0 } };
	struct url u;

	scope->kind = (enum scope_kind)s->scope;
	scope->max_depth = (uint32_t)s->max_depth;
	scope->max_off_hops = (uint32_t)s->hops_off;
	scope->max_url_bytes = s->max_url_bytes;
	for (size_t i = 0; i < s->include.n; i++)
		TRY(scope_add_include(scope, s->include.v[i], why));
	for (size_t i = 0; i < s->exclude.n; i++)
		TRY(scope_add_exclude(scope, s->exclude.v[i], why));
	for (size_t i = 0; i < s->mimes.n; i++)
		TRY(mime_filter_add(&scope->mimes, s->mimes.v[i], why));
	for (size_t i = 0; i < s->surts.n; i++)
		scope_add_surt(scope, s->surts.v[i]);
	for (size_t i = 0; i < seeds->n; i++)
		if (url_parse_normal(seeds->v[i], NULL, NORMAL_STANDARD, scratch, &u,
				     NULL) == ST_OK)
			scope_add_seed(scope, &u, suffix_site(u.host));
	scope_finish(scope);
	buf_release(&scratch[0]);
	buf_release(&scratch[1]);
	return ST_OK;
}

enum status setup_check(const struct crawl_settings *s, const struct str_list *seeds,
			struct diag *why)
{
	struct scope scope = { 0 };
	enum status st = fill_scope(&scope, s, seeds, why);

	scope_release(&scope);
	if (st == ST_OK) {
		struct auth auth = { 0 };

		st = auth_open(&auth, &s->auth, why);
		auth_release(&auth);
	}
	if (st == ST_OK)
		st = focused_check(s, why);
	for (size_t i = 0; st == ST_OK && i < s->revisit_seeds.n; i++) {
		struct str seed;
		uint64_t ms;

		st = revisit_seed_parse(s->revisit_seeds.v[i], &ms, &seed, why);
	}
	return st;
}

enum status setup_rules(struct crawl *c, const struct crawl_settings *s,
			const struct str_list *seeds, struct diag *why)
{
	struct scope scope = { 0 };
	enum status st = fill_scope(&scope, s, seeds, why);

	if (st != ST_OK) {
		scope_release(&scope);
		return st;
	}
	scope_release(&c->frontier.scope);
	c->frontier.scope = scope;
	c->frontier.budget.settings = budget_of(s);
	fill_politeness(s, c->frontier.lanes.rules);
	return ST_OK;
}

enum status setup_frontier(struct crawl *c, struct diag *why)
{
	cleanup(arena_release) struct arena a = { 0 };
	const struct crawl_settings *s = c->settings;
	struct frontier_settings f = {
		.dir = path_join(&a, c->dir, STR("state/frontier")),
		.seen_ram_bytes = s->seen_memory,
		.budget = budget_of(s),
		.templates = { .first = (uint32_t)s->template_first,
			       .per_novel = (uint32_t)s->template_per_new },
		.traps = { .max_segments = 20, .max_repeats = 2, .max_parameters = 16 },
		.max_attempts = (uint32_t)s->retries + 1,
		.max_site_failures = (uint32_t)s->retries + 1,
		.site_retry_ms = ms32(s->backoff_ms),
		.random_seed = s->random_seed,
		.ignore_robots = s->ignore_robots,
		.groups = s->groups.n ? &s->groups : NULL,
	};

	fill_politeness(s, f.politeness);
	TRY(frontier_open(&c->frontier, &f, why));
	c->frontier_open = true;
	c->robots.name = STR("thresh");
	return fill_scope(&c->frontier.scope, s, c->seeds, why);
}

/* --- fetch --- */

static char *c_string(struct arena *a, struct str s)
{
	char *p = arena_alloc(a, s.n + 1);

	memcpy(p, s.p, s.n);
	p[s.n] = '\0';
	return p;
}

static enum status allow_seed_hosts(struct crawl *c)
{
	struct buf scratch = { 0 };
	struct url u;

	for (size_t i = 0; i < c->seeds->n; i++)
		if (url_parse(c->seeds->v[i], NULL, &scratch, &u, NULL) == ST_OK)
			c->fetcher->ops->allow_seed(c->fetcher, &u);
	buf_release(&scratch);
	return ST_OK;
}

enum status setup_fetch(struct crawl *c, struct diag *why)
{
	static struct arena names; /* as long as the process: what fetch borrows */
	const struct crawl_settings *s = c->settings;
	cleanup(buf_release) struct buf hosts = { 0 };
	char *spool = path_join(&names, c->dir, STR("state/spool"));

	TRY(dir_remove(spool, why));
	TRY(dir_make(spool, why));
	if (s->hosts_file.n > 0)
		TRY(file_load(c_string(&names, s->hosts_file), (size_t)16 << 20, &hosts,
			      why));
	struct fetch_options o = {
		.user_agent = settings_user_agent(s, &names),
		.from = str_find_char(s->contact, '@') != STR_NONE ? s->contact : STR(""),
		.accept_language = s->accept_language,
		.headers = s->headers,
		.auth = s->auth,
		.proxy = s->proxy,
		.connect_to = s->connect_to,
		.hosts = arena_copy(&names, buf_str(&hosts)),
		.ca_file = s->ca_file,
		.spool_dir = str_from(spool),
		.wants_body = crawl_wants_body,
		.may_send = crawl_may_send,
		.body_max = s->body_max,
		.connect_ms = s->connect_ms,
		.first_byte_ms = s->first_byte_ms,
		.total_ms = s->total_ms,
		.min_speed = s->min_speed,
		.insecure = s->insecure,
		.http1_only = s->http1,
		.allow_private = s->allow_private || s->connect_to.n > 0,
		.ipv4_only = s->ipv4,
		.dns = { .servers = s->dns_servers.n ? c_string(&names, s->dns_servers)
						     : NULL,
			 .ipv4_only = s->ipv4 },
	};
	TRY(c->outside->open_fetcher(&c->fetcher, c->outside->arg, &c->loop, &o,
				     crawl_fetched, c, why));
	return allow_seed_hosts(c);
}

/* --- journal, status --- */

/* A limit that was given anew counts from now on. */
static uint8_t begin_flags(struct crawl *c)
{
	const struct crawl_settings *s = c->settings;
	struct budget *b = &c->frontier.budget;
	int64_t now = crawl_time_ms(c);

	if (s->renew_pages)
		budget_renew(b, REASON_MAX_PAGES, now);
	if (s->renew_bytes)
		budget_renew(b, REASON_MAX_BYTES, now);
	if (s->renew_time)
		budget_renew(b, REASON_MAX_TIME, now);
	return (uint8_t)((s->recrawl ? BEGIN_ROUND : 0) |
			 (s->renew_pages ? BEGIN_RENEW_PAGES : 0) |
			 (s->renew_bytes ? BEGIN_RENEW_BYTES : 0) |
			 (s->renew_time ? BEGIN_RENEW_TIME : 0));
}

enum status setup_begin(struct crawl *c, struct diag *why)
{
	cleanup(buf_release) struct buf settings = { 0 };

	settings_format_changed(c->settings, &settings);
	TRY(writer_add_record(
		&c->writer,
		&(struct journal_record){
			.kind = JOURNAL_BEGIN,
			.begin = { .now_ms = clock_wall_ms(c->clock),
				   .version = STR(THRESH_VERSION),
				   .scope = scope_hash(c->settings, c->seeds),
				   .token = c->lease.token,
				   .flags = begin_flags(c),
				   .settings = buf_str(&settings),
				   .seeds = c->seeds->n } },
		why));
	return writer_commit(&c->writer, why);
}
