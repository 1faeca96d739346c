/*
 * settings.h - what a crawl is to do: one struct, one table of options.
 *
 * The command line, DIR/crawl.yaml, --help and the manual page all come from the
 * rows.  crawl.yaml holds the same names, plus `seeds`; it is written when a crawl
 * begins, may be edited while it runs, and is read again on SIGHUP and on resuming.
 */
#ifndef SPEC_SETTINGS_H
#define SPEC_SETTINGS_H

#include "base/option.h"

enum fetch_order {
	ORDER_PRIORITY,
	ORDER_BREADTH_FIRST, /* as they were found */
};

/* When pages are shown in a browser. */
enum browser_use {
	BROWSER_NEVER,
	BROWSER_AUTO,      /* where it brings something */
	BROWSER_ALWAYS,    /* every HTML page */
	BROWSER_SANDBOXED, /* as auto where the browser has its sandbox, else never */
};

/* Whether the API of a site is read in place of its pages: --api. */
enum api_use {
	API_NEVER,
	API_AUTO, /* where it costs fewer requests */
};

/* Which links of a page are stored with it: --outlinks. */
enum outlinks {
	OUTLINKS_NO,
	OUTLINKS_LINES,
	OUTLINKS_JSON,
};

struct crawl_settings {
	struct str output; /* the folder */
	/* scope */
	int scope; /* enum scope_kind */
	struct str_list include, exclude, surts, mimes;
	uint64_t max_depth, hops_off, max_url_bytes;
	struct str_list languages;
	bool detect_language;
	bool embeds, guesses, sitemaps, obey_nofollow, obey_rel_nofollow;
	/* focus */
	struct str_list want, want_urls, avoid_urls, focus_weights;
	struct str want_file, blacklist, want_since, want_until;
	struct str module; /* command that scores links; empty: none */
	int focus;         /* average, learn, frozen */
	bool any_match;    /* one term is a score of 1 */
	double relevant, min_yield;
	uint64_t yield_window;
	/* budgets */
	uint64_t max_pages, max_bytes, max_time_ms;
	uint64_t host_pages, host_bytes, host_sitemaps;
	uint64_t domain_pages, domain_per_link, domain_max;
	int order; /* enum fetch_order */
	uint64_t template_first, template_per_new;
	uint64_t min_disk;
	bool renew_pages, renew_bytes, renew_time; /* given anew: counts from now on */
	/* politeness */
	uint64_t delay_ms, delay_max_ms, per_host;
	double delay_factor;
	uint64_t domain_delay_ms, per_domain, address_delay_ms, per_address;
	uint64_t group_delay_ms, per_group;
	struct str_list groups; /* "name=host,*.example.org" */
	uint64_t crawl_delay_max_ms, retry_after_max_ms, backoff_ms, backoff_max_ms;
	uint64_t retries;
	bool ignore_robots;
	/* fetching */
	bool cookies;
	struct str cookie_file;
	struct str user_agent, contact, accept_language, proxy, connect_to, hosts_file;
	struct str_list headers, auth;
	struct str ca_file;
	uint64_t concurrency, body_max, connect_ms, first_byte_ms, total_ms, min_speed;
	bool insecure, http1, allow_private, ipv4, archive_secrets;
	struct str dns_servers;
	/* rendering */
	int browser; /* enum browser_use */
	struct str browser_program;
	uint64_t browsers, render_ms, render_memory;
	bool render_clicks, screenshots, save_dom;
	/* what is kept */
	int outlinks; /* enum outlinks */
	bool no_warc, near_duplicates, soft_404, zstd;
	int near_method; /* enum index_measure */
	double near_threshold;
	struct str preset; /* read by the command, into the two above */
	int warc_version;
	uint64_t warc_size;
	struct str prefix, operator_name;
	int duplicate_links; /* enum duplicate_links */
	bool keep_identical;
	/* asking again */
	bool recrawl, stay, keep_similar;
	uint64_t revisit_ms, revisit_min_ms, revisit_max_ms;
	struct str_list revisit_seeds; /* "6h https://example.org/" */
	/* running */
	uint64_t workers, seen_memory, commit_ms;
	struct str cluster; /* empty: alone */
	bool rules, shipped_rules;
	bool no_apps, no_history;
	struct str apps_dir;
	int api; /* enum api_use */
	uint64_t rules_min_freq;
	double rules_explore, rules_error; /* shares */
	uint64_t random_seed;
	bool replay;
	bool facts, report, dry_run, quiet, json;
	int log_level; /* from LOG_ERROR on */
	/* watching and steering */
	bool discover;         /* no: only seeds and injected URLs are fetched */
	struct str listen;     /* ADDRESS:PORT of the control API; empty: none */
	struct str_list names; /* by which clients may call it */
	struct str events, syslog;
	struct str scores; /* a file of scores that is watched; empty: none */
	uint64_t scores_sleep_ms, scores_margin_ms;
};

extern const struct option_row crawl_options[];

/* crawl.yaml as text: every option, commented, those that differ from the default on. */
void settings_format(const struct crawl_settings *s, const struct str_list *seeds,
		     struct buf *to);
/* The same for programs: only what is not the default, without seeds and secrets. */
void settings_format_changed(const struct crawl_settings *s, struct buf *to);
/*
 * Read crawl.yaml into `s` (which holds the defaults) and `seeds`; strings in `a`.
 * An error names line and column.
 */
must_use enum status settings_parse(struct str yaml, struct crawl_settings *s,
				    struct str_list *seeds, struct arena *a,
				    struct diag *why);
/* Take over from `given` the `n` options of `rows`, which somebody gave, be it their
 * default. */
must_use enum status settings_overlay(struct crawl_settings *s,
				      const struct crawl_settings *given,
				      const struct option_row *const *rows, size_t n,
				      struct arena *a, struct diag *why);
/* Free the lists; strings are their arena's. */
void settings_release(struct crawl_settings *s);
/* "thresh/VERSION (+CONTACT)", in `a`, unless the settings have another. */
struct str settings_user_agent(const struct crawl_settings *s, struct arena *a);
#endif
