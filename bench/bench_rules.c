/*
 * bench_rules.c - learning from a set of the size and shape of GOV2's duplicates.
 *
 *   bench_rules [CLUSTERS [METHOD [FILE]]]
 *
 * METHOD is all, or one of those in the table; FILE keeps the set that was made,
 * as TSV.
 *
 * The set has families of duplicates planted in it, one or two a host, and
 * some noise.  Printed: time and memory of each method, how many pairs of each
 * family, on URLs that were not in the set, get one key, and how fast rules
 * are applied as their number grows.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "align/clusters.h"
#include "base/alloc.h"
#include "base/rng.h"
#include "dust/index.h"
#include "learn/evaluate.h"
#include "learn/learn.h"
#include "os/clock.h"
#include "os/thread.h"

#define HOSTS        15106
#define GOV2_CLUSTER 1432034

enum family {
	SESSION,
	WWW,
	INDEX,
	LANGUAGE,
	MIRROR,
	PRINT,
	ORDER,
	CASE,
	SLASH,
	SLUG,
	FRIENDLY,
	SCHEME,
	SUBDOMAIN,
	VERSION,
	FAMILIES,
};

static const char *family_names[FAMILIES] = {
	"session number",   "www",
	"index page",       "language folder",
	"mirror host",      "print view",
	"parameter order",  "upper and lower case",
	"slash at the end", "slug",
	"friendly URL",     "http and https",
	"subdomain",        "version folder",
};

static const char *words[] = { "water",  "report", "energy", "forest", "survey", "annual",
			       "health", "budget", "river",  "policy", "island", "grant",
			       "office", "record", "safety", "market" };

static const char *word(uint64_t x)
{
	return words[hash_mix(x) % COUNT(words)];
}

static enum family family_of(unsigned host, uint64_t pick)
{
	return (enum family)(pick % 3 == 0 ? (host / FAMILIES) % FAMILIES
					   : host % FAMILIES);
}

static void add_host(struct buf *to, unsigned host, const char *first)
{
	buf_addf(to, "%s%s%u.agency%u.gov", first, word(host), host, host % 97);
}

/* A path that names page `p`, with as many tokens as GOV2's URLs have. */
static void add_path(struct buf *to, uint64_t p)
{
	if (p / 64 % 3 != 0) /* one folder more: 27 tokens on average */
		buf_addf(to, "/%s", word(p * 11));
	buf_addf(to, "/%s/%s-%s/%s%llu", word(p), word(p * 3), word(p * 5), word(p * 7),
		 (unsigned long long)p);
}

static void add_upper_path(struct buf *to, uint64_t p)
{
	size_t from = to->n;

	add_path(to, p);
	for (size_t i = from; i < to->n; i++)
		if (i == from + 1 || to->p[i - 1] == '-')
			to->p[i] = (char)(to->p[i] & ~0x20);
}

/* URL number `w` of page `p`: the family's two or more ways to write it. */
static void add_url(struct buf *to, unsigned host, enum family f, uint64_t p, unsigned w)
{
	static const char *languages[] = { "en", "fr", "ja" };
	uint64_t noise = hash_mix(p * 131 + w);
	const char *www = f == WWW && w % 2      ? ""
			  : f == MIRROR && w % 2 ? "mirror."
						 : "www.";

	buf_add(to, f == SCHEME && w % 2 ? STR("https://") : STR("http://"));
	if (f == SUBDOMAIN) {
		const char *sub = words[p % COUNT(words)];

		if (w % 2)
			buf_addf(to, "%s.", sub);
		add_host(to, host, "");
		if (w % 2 == 0)
			buf_addf(to, "/%s", sub);
	} else {
		add_host(to, host, www);
	}
	if (f == LANGUAGE)
		buf_addf(to, "/%s", languages[w % 3]);
	if (f == VERSION)
		buf_addf(to, "/release-%u.%u", 6 + w % 2, 2 + w % 2);
	if (f == SLUG)
		buf_addf(to, "/%s-%s/dp/%llu", word(noise), word(noise >> 8),
			 (unsigned long long)p);
	else if (f == FRIENDLY)
		buf_addf(to, w % 2 ? "/?title=%s%llu" : "/wiki/%s%llu", word(p),
			 (unsigned long long)p);
	else if (f == CASE && w % 2)
		add_upper_path(to, p);
	else
		add_path(to, p);
	if (f == INDEX)
		buf_add(to, w % 2 ? STR("/index.html") : STR("/"));
	else if (f == SLASH)
		buf_add(to, w % 2 ? STR("/") : STR(""));
	else if (f != SLUG && f != FRIENDLY)
		buf_add(to, STR(".html"));
	unsigned long long a = p % 89;
	if (f == ORDER && w % 3 == 0)
		buf_addf(to, "?a=%llu&b=2&c=3", a);
	else if (f == ORDER)
		buf_addf(to, w % 3 == 1 ? "?c=3&a=%llu&b=2" : "?b=2&c=3&a=%llu", a);
	if (f == PRINT && w % 2)
		buf_add(to, STR("?print=yes"));
	/* More URLs than the family has ways: they carry a session number, too. */
	unsigned ways = f == SESSION                  ? 0
			: f == SLUG                   ? 1000
			: f == LANGUAGE || f == ORDER ? 3
						      : 2;
	if (w >= ways)
		buf_addf(to, "%csid=%llu",
			 f == ORDER || (f == PRINT && w % 2) ? '&' : '?',
			 (unsigned long long)(noise % 1000000));
}

/*
 * Sizes as in table 6.1: 2.71 URLs a cluster, 0.53 % above ten, one of 53,132.  Those
 * above ten follow the power law that gives the total its table has: 30 on average.
 */
static unsigned cluster_size(struct rng *r, size_t nr)
{
	double u = rng_unit(r);

	if (nr == 77)
		return 53132;
	if (u < 0.0053) {
		double x = 11 * pow(1 - rng_unit(r), -1 / 1.6);

		return x > 4000 ? 4000 : (unsigned)x;
	}
	if (u < 0.0403)
		return 6 + (unsigned)rng_below(r, 5);
	return u < 0.065 ? 5 : u < 0.115 ? 4 : u < 0.255 ? 3 : 2;
}

static unsigned pick_host(struct rng *r)
{
	double u = rng_unit(r);

	return (unsigned)(u * u * u * (HOSTS - 1)); /* few hosts have most clusters */
}

static void make_set(size_t clusters, struct buf *to)
{
	struct rng r = { 2004 };

	for (size_t c = 0; c < clusters; c++) {
		unsigned host = pick_host(&r), n = cluster_size(&r, c);
		enum family f = family_of(host, rng_next(&r));
		bool noise = rng_chance(&r, 0.15) && n < 10;

		if (n > 10)
			f = SESSION; /* as the seed observes of large clusters */
		for (unsigned w = 0; w < n; w++) {
			buf_addf(to, "c%zu\t", c);
			add_url(to, host, f, noise ? c * 64 + w : c * 64, noise ? 0 : w);
			buf_add_char(to, '\n');
		}
	}
}

static double seconds(int64_t since)
{
	return (double)(clock_mono_ns(&real_clock) - since) / 1e9;
}

/* Others may have the processor, too: what counts on a busy machine is CPU time. */
static double cpu_seconds(void)
{
	struct rusage u;

	getrusage(RUSAGE_SELF, &u);
	return (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) +
	       (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec) / 1e6;
}

static double peak_gb(void)
{
	struct rusage u;

	getrusage(RUSAGE_SELF, &u);
	return (double)u.ru_maxrss / 1e6;
}

static bool same_key(const struct rule_index *x, struct rule_scratch *s, struct str a,
		     struct str b)
{
	struct rule_applied one, two;

	rule_index_apply(x, a, s, &one);
	uint64_t key = hash64(one.key);
	rule_index_apply(x, b, s, &two);
	return key == hash64(two.key);
}

/* Pages of no cluster, on hosts that had enough of them to learn from. */
static void print_recovery(const struct rule_index *x)
{
	cleanup(rule_scratch_release) struct rule_scratch s = { 0 };
	cleanup(buf_release) struct buf a = { 0 }, b = { 0 }, c = { 0 };

	printf("\n%-22s %8s %8s %8s\n", "planted family", "pairs", "joined", "wrong");
	for (int f = 0; f < FAMILIES; f++) {
		unsigned pairs = 0, joined = 0, wrong = 0;

		for (unsigned host = (unsigned)f; host < HOSTS / 8; host += FAMILIES) {
			uint64_t p = ((uint64_t)1 << 40) + host;

			buf_reset(&a), buf_reset(&b), buf_reset(&c);
			add_url(&a, host, (enum family)f, p, 0);
			add_url(&b, host, (enum family)f, p, 1);
			add_url(&c, host, (enum family)f, p + 16, 1);
			pairs++;
			joined += same_key(x, &s, buf_str(&a), buf_str(&b));
			wrong += same_key(x, &s, buf_str(&a), buf_str(&c));
		}
		printf("%-22s %8u %8u %8u\n", family_names[f], pairs, joined, wrong);
	}
}

static void run_method(const struct url_set *urls, const char *name,
		       struct learn_options o, bool recovery)
{
	cleanup(rule_set_release) struct rule_set rules = { 0 };
	cleanup(rule_index_release) struct rule_index x = { 0 };
	struct learn_report report;
	struct metrics m = { 0 };
	int64_t start = clock_mono_ns(&real_clock);
	double cpu = cpu_seconds();

	learn(urls, &o, &rules, &report);
	double total = seconds(start);
	cpu = cpu_seconds() - cpu;
	rule_index_build(&x, &rules);
	measure(urls, NULL, 0, &x, &m, NULL, NULL);
	printf("%-24s %7.2f %9.2f %7.2f %7.2f %9.2f %7.2f %10zu %7zu %6zu %6.2f %6.2f "
	       "%6.2f "
	       "%6.2f\n",
	       name, cpu, report.offer_cpu_s, total, report.offer_s, report.validate_s,
	       report.prune_s, report.candidates, report.valid, report.kept,
	       metrics_compression(&m) * 100, metrics_coverage(&m) * 100,
	       metrics_precision(&m) * 100, peak_gb());
	fflush(stdout);
	if (recovery)
		print_recovery(&x);
}

/* `n` rules on n / 3 hosts: what a URL costs should hardly depend on n. */
static void run_apply(size_t n)
{
	cleanup(rule_set_release) struct rule_set rules = { 0 };
	cleanup(rule_index_release) struct rule_index x = { 0 };
	cleanup(rule_scratch_release) struct rule_scratch s = { 0 };
	cleanup(buf_release) struct buf text = { 0 };
	struct str urls[4096];
	size_t at[4097];
	uint64_t changed = 0;

	for (size_t i = 0; i < n; i++) {
		char rule[160], host[64];
		struct rule *r;

		snprintf(host, sizeof(host), "www.%s%u.agency%u.gov", word(i / 3),
			 (unsigned)(i / 3), (unsigned)(i / 3) % 97);
		if (i % 3 == 0)
			snprintf(rule, sizeof(rule), "drop sid%zu", i % 7);
		else if (i % 3 == 1)
			snprintf(rule, sizeof(rule),
				 "^*://*.*.*.*/(en|fr|ja)/*/*/*.*$ "
				 "$1://$2.$3.$4.$5/en/$6/$7/$8.$9");
		else
			snprintf(rule, sizeof(rule),
				 "^*://*.*.*.*/*/*/*.*\\?sid=(*)$ "
				 "$1://$2.$3.$4.$5/$6/$7/$8.$9");
		if (rule_set_add(&rules, str_from(rule), (struct text_place){ 1, 1 }, &r,
				 NULL) != ST_OK)
			abort();
		struct str site = str_from(host);
		rule_set_sites(&rules, r, &site, 1);
	}
	rule_index_build(&x, &rules);
	for (size_t i = 0; i < COUNT(urls); i++) {
		at[i] = text.n;
		add_url(&text, (unsigned)(hash_mix(i) % (n / 3 + 1)),
			(enum family)(i % 2 ? LANGUAGE : SESSION), i * 192,
			(unsigned)i % 3);
	}
	at[COUNT(urls)] = text.n;
	for (size_t i = 0; i < COUNT(urls); i++)
		urls[i] = str_slice(buf_str(&text), at[i], at[i + 1]);
	size_t rounds = 200;
	double start = cpu_seconds();
	for (size_t k = 0; k < rounds; k++)
		for (size_t i = 0; i < COUNT(urls); i++) {
			struct rule_applied a;

			rule_index_apply(&x, urls[i], &s, &a);
			changed += a.rewrite != RULE_NONE || a.used.n > 0;
		}
	double took = cpu_seconds() - start;
	printf("%8zu rules %9.2f million URLs/s a core, %5.1f %% changed\n", n,
	       (double)(rounds * COUNT(urls)) / took / 1e6,
	       100.0 * (double)changed / (double)(rounds * COUNT(urls)));
}

static size_t count_hosts(const struct url_set *urls, size_t cluster)
{
	size_t n = 0;

	for (size_t i = urls->first[cluster]; i < urls->first[cluster + 1]; i++) {
		size_t k = urls->first[cluster];

		while (k < i && urls->v[k].host != urls->v[i].host)
			k++;
		n += k == i;
	}
	return n;
}

/* Beside table 6.1, and what algorithms 1 and 4 have to align of it with K = 10. */
static void print_shape(const struct url_set *urls)
{
	cleanup(tokens_release) struct tokens t = { 0 };
	size_t tokens = 0, large = 0, hosts = 0, linear = 0, progressive = 0;

	for (size_t i = 0; i < urls->n; i += 97)
		tokens += tokens_split(&t, urls->v[i].url) == ST_OK ? t.n : 0;
	for (size_t c = 0; c < urls->n_clusters; c++) {
		size_t n = urls->first[c + 1] - urls->first[c], k = MIN(n, 10u) - 1;

		large += n > 10;
		hosts += n > 10 ? 1 : count_hosts(urls, c);
		linear += k;
		progressive += k * k;
	}
	double clusters = (double)urls->n_clusters;
	printf("%.2f URLs a cluster, %.2f %% above ten, %.1f tokens a URL, %.2f sites a "
	       "cluster;\nalignments: %zu linear, %zu progressive (%.2f times)\n",
	       (double)urls->n / clusters, 100 * (double)large / clusters,
	       (double)tokens / ((double)urls->n / 97), (double)hosts / clusters, linear,
	       progressive, (double)progressive / (double)linear);
}

struct run {
	const char *name;
	struct learn_options how;
};

static void run_all(const struct url_set *urls, const char *wanted)
{
	struct learn_options o = {
		.offer = { .sample = 10, .card = 5, .seed = 1 },
		.min_freq = 10,
		.min_support = 10,
		.threads = MIN(cpu_count(), 2u),
	};
	struct run runs[] = { { "dustlin", o },
			      { "dustlin+", o },
			      { "dustlin+ with doubt", o },
			      { "duster", o },
			      { "duster as written", o } };

	runs[1].how.families = true;
	runs[1].how.universal_sites = 5;
	runs[2].how = runs[1].how;
	runs[2].how.doubt = true;
	for (size_t i = 3; i < COUNT(runs); i++) {
		runs[i].how.method = LEARN_DUSTER;
		runs[i].how.offer.method = MULTI_PROGRESSIVE;
	}
	runs[4].how.offer.whole_matrix = true;
	for (size_t i = 0; i < COUNT(runs); i++)
		if (strcmp(wanted, "all") == 0 || strcmp(wanted, runs[i].name) == 0)
			run_method(urls, runs[i].name, runs[i].how, i == 1 || i == 2);
}

int main(int argc, char **argv)
{
	size_t clusters = argc > 1 ? strtoul(argv[1], NULL, 10) : GOV2_CLUSTER;
	cleanup(buf_release) struct buf text = BUF((size_t)4 << 30);
	cleanup(url_set_release) struct url_set urls = { 0 };
	struct diag why = { 0 };

	printf("applying:\n");
	for (size_t n = 30; n <= 30000; n *= 10)
		run_apply(n);
	make_set(clusters, &text);
	if (argc > 3) {
		FILE *f = fopen(argv[3], "wbe");

		if (!f || fwrite(text.p, 1, text.n, f) != text.n || fclose(f) != 0)
			return perror(argv[3]), 1;
	}
	int64_t start = clock_mono_ns(&real_clock);
	if (clusters_parse(buf_str(&text), &urls, &why) != ST_OK)
		return fprintf(stderr, "%s\n", why.text), 1;
	url_set_seal(&urls);
	printf("\n%zu URLs, %zu clusters, %zu hosts, %.1f bytes a URL; parsed in %.2f "
	       "s\n",
	       urls.n, urls.n_clusters, urls.hosts.n, (double)text.n / (double)urls.n,
	       seconds(start));
	print_shape(&urls);
	printf("%-24s %7s %9s %7s %7s %9s %7s %10s %7s %6s %6s %6s %6s %6s\n", "method",
	       "CPU s", "offer CPU", "wall s", "offer", "validate", "prune", "candidates",
	       "valid", "kept", "CR %", "cov %", "NP %", "GB");
	run_all(&urls, argc > 2 ? argv[2] : "all");
	return 0;
}
