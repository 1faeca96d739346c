/*
 * testweb.h - what the commands about the test web share: the options that make a web.
 */
#ifndef CMD_TESTWEB_H
#define CMD_TESTWEB_H

#include "cmd/args.h"
#include "testweb/world.h"

struct web_settings {
	uint64_t seed, pages, hosts, per_address, day;
	double trouble_share, alias_share, words;
	struct str_list kinds, traps, trouble, ways;
	bool crawl_delays;
};

/* The rows of these options; the settings of a command begin with struct web_settings. */
#define WEB_ROW(name, type, field, min, max, standard, value, help)                      \
	{                                                                                \
		name, 0, type, offsetof(struct web_settings, field), min, max, standard, \
			value, NULL, help                                                \
	}
#define WEB_UINT(name, field, min, max, standard, help) \
	WEB_ROW(name, OPTION_UINT, field, min, max, standard, "N", help)
#define WEB_REAL(name, field, min, max, standard, help) \
	WEB_ROW(name, OPTION_REAL, field, min, max, standard, "X", help)
#define WEB_LIST(name, field, help) \
	WEB_ROW(name, OPTION_LIST, field, 0, 0, NULL, "LIST", help)
/* clang-format off */
#define WEB_ROWS                                                                          \
	WEB_UINT("seed", seed, 0, 1e15, "1", "seed of the random numbers; the same web for the same seed"), \
	WEB_UINT("pages", pages, 1, 1e9, "10000", "content pages over all hosts"),        \
	WEB_UINT("hosts", hosts, 1, 65536, "32", "number of sites"),                                \
	WEB_UINT("hosts-per-address", per_address, 1, 65536, "4",                         \
		 "sites that share an IP address"),                                       \
	WEB_LIST("kinds", kinds,                                                          \
		 "blog, forum, wiki, shop, news, docs, gallery, mirror; all if not given"), \
	WEB_LIST("traps", traps,                                                          \
		 "calendar, path, facets, loop, ladder, echo, random, soft404, grid, or none; " \
		 "all if not given"),                                                     \
	WEB_LIST("trouble", trouble,                                                      \
		 "latency, 429, 5xx, reset, truncated, overlong, length, chunks, headers, " \
		 "body, drip, bomb, charset, html, robots, 401, cookies, or all; none if not " \
		 "given"),                                                                \
	WEB_LIST("ways", ways,                                                            \
		 "pages that can be found in one way only: sitemap, nested, packed, "      \
		 "unannounced, feed, field, canonical, refresh, form, or all; none if "   \
		 "not given"),                                                            \
	WEB_REAL("trouble-share", trouble_share, 0, 1, "3%",                              \
		 "share of the pages with trouble"),                     \
	WEB_REAL("alias-share", alias_share, 0, 1, "30%",                                 \
		 "share of the links that lead to another URL of a page"),                \
	WEB_REAL("words", words, 0.01, 100, "1", "factor on the length of texts"),    \
	WEB_ROW("crawl-delays", OPTION_FLAG, crawl_delays, 0, 0, "yes", NULL,             \
		"Crawl-delay in the robots.txt of one site in seven; not for benchmarks"), \
	WEB_UINT("day", day, 0, 100000, "0",                                              \
		 "age of the web in days: pages change, appear and vanish")
/* clang-format on */

must_use enum status web_make(const struct web_settings *s, struct world *ret,
			      struct diag *why);
void web_settings_release(struct web_settings *s);
/* Print the cause; the exit code. */
int web_fail(const struct command *self, const struct diag *why);
/* A copy that ends in NUL, or NULL for nothing. */
const char *web_c_string(struct args *args, struct str s);

extern const struct command cmd_testweb_serve, cmd_testweb_manifest, cmd_testweb_score,
	cmd_testweb_check;
#endif
