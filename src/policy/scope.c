#include "policy/scope.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "url/host.h"

void scope_release(struct scope *s)
{
	pattern_list_release(&s->include);
	pattern_list_release(&s->exclude);
	mime_filter_release(&s->mimes);
	free(s->surts);
	intern_release(&s->seeds);
	intern_release(&s->hosts);
	intern_release(&s->domains);
	intern_release(&s->prefixes);
	arena_release(&s->bytes);
	*s = (struct scope){ 0 };
}

enum status scope_add_include(struct scope *s, struct str regex, struct diag *why)
{
	return pattern_list_add(&s->include, regex, why);
}

enum status scope_add_exclude(struct scope *s, struct str regex, struct diag *why)
{
	return pattern_list_add(&s->exclude, regex, why);
}

void scope_add_surt(struct scope *s, struct str line)
{
	bool refuse = str_take_char(&line, '-');

	str_take_char(&line, '+');
	/* Heritrix writes them as http://(org,example,)/x */
	if (!str_take_prefix(&line, STR("http://")))
		str_take_prefix(&line, STR("https://"));
	str_take_char(&line, '(');
	struct scope_surt x = { arena_copy(&s->bytes, line), !refuse };
	VEC_ADD(s->surts, s->n_surts, s->cap_surts, x);
}

/* The URL up to and including the last '/' of its path. */
static struct str folder_of(const struct url *u)
{
	size_t slash = str_rfind_char(u->path, '/');
	const char *end = u->path.p + (slash == STR_NONE ? 0 : slash + 1);

	return (struct str){ u->href.p, (size_t)(end - u->href.p) };
}

void scope_add_seed(struct scope *s, const struct url *url, struct str domain)
{
	intern_add(&s->seeds, url_without_fragment(url));
	intern_add(&s->hosts, host_without_www(url_server(url)));
	intern_add(&s->domains, domain);
	intern_add(&s->prefixes, folder_of(url));
}

static int by_prefix(const void *a, const void *b)
{
	return str_cmp(((const struct scope_surt *)a)->prefix,
		       ((const struct scope_surt *)b)->prefix);
}

void scope_finish(struct scope *s)
{
	pattern_list_finish(&s->include);
	pattern_list_finish(&s->exclude);
	if (s->n_surts > 0)
		qsort(s->surts, s->n_surts, sizeof(*s->surts), by_prefix);
}

/* How many prefixes are not greater than `text`. */
static size_t surts_up_to(const struct scope *s, struct str text)
{
	size_t low = 0, high = s->n_surts;

	while (low < high) {
		size_t mid = (low + high) / 2;

		if (str_cmp(s->surts[mid].prefix, text) <= 0)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

static size_t common_bytes(struct str a, struct str b)
{
	size_t n = 0;

	while (n < MIN(a.n, b.n) && a.p[n] == b.p[n])
		n++;
	return n;
}

/*
 * The greatest one not above the text either is a prefix of it, or shows how
 * long a prefix can be at most: what it has in common with the text.
 */
static const struct scope_surt *longest_surt(const struct scope *s, struct str surt)
{
	size_t n;

	while ((n = surts_up_to(s, surt)) > 0) {
		const struct scope_surt *x = &s->surts[n - 1];

		if (str_starts(surt, x->prefix))
			return x;
		surt.n = common_bytes(surt, x->prefix);
	}
	return NULL;
}

/* Every folder of the path, longest first, may be a seed's. */
static bool under_a_prefix(const struct scope *s, const struct url *u)
{
	struct str p = folder_of(u);
	size_t shortest = (size_t)(u->path.p - u->href.p);

	while (p.n > shortest) {
		if (intern_find(&s->prefixes, p) != INTERN_NONE)
			return true;
		size_t slash = str_rfind_char(str_slice(p, 0, p.n - 1), '/');
		if (slash == STR_NONE)
			return false;
		p.n = slash + 1;
	}
	return false;
}

static bool kind_accepts(const struct scope *s, const struct scope_question *q)
{
	switch (s->kind) {
	case SCOPE_PREFIX:
		return under_a_prefix(s, q->url);
	case SCOPE_HOST:
		return intern_find(&s->hosts, host_without_www(url_server(q->url))) !=
		       INTERN_NONE;
	case SCOPE_DOMAIN:
		return intern_find(&s->domains, q->domain) != INTERN_NONE;
	case SCOPE_ANY:
		return true;
	case SCOPE_PAGE:
	case SCOPE_CUSTOM:
		break;
	}
	return false;
}

static const enum reason reason_of_kind[] = {
	[SCOPE_PAGE] = REASON_SCOPE_PAGE, [SCOPE_PREFIX] = REASON_SCOPE_PREFIX,
	[SCOPE_HOST] = REASON_SCOPE_HOST, [SCOPE_DOMAIN] = REASON_SCOPE_DOMAIN,
	[SCOPE_ANY] = REASON_SCOPE_ANY,   [SCOPE_CUSTOM] = REASON_SCOPE_CUSTOM,
};

static struct scope_answer accept(enum reason reason, struct str detail)
{
	return (struct scope_answer){ .accept = true,
				      .reason = reason,
				      .detail = detail };
}

static struct scope_answer accept_off_site(enum reason reason)
{
	return (struct scope_answer){ .accept = true,
				      .off_site = true,
				      .reason = reason };
}

static struct scope_answer refuse(enum reason reason, struct str detail)
{
	return (struct scope_answer){ .reason = reason, .detail = detail };
}

/* In or out, depth aside. */
static struct scope_answer decide(const struct scope *s, const struct scope_question *q)
{
	struct str href = url_without_fragment(q->url);
	const struct scope_surt *surt;
	size_t i;

	if (!url_is_http(q->url))
		return refuse(REASON_SCHEME, q->url->scheme);
	if (href.n > s->max_url_bytes)
		return refuse(REASON_LENGTH, STR(""));
	if ((i = pattern_list_find(&s->exclude, href)) != PATTERN_NONE)
		return refuse(REASON_EXCLUDE, pattern_text(&s->exclude, i));
	if (intern_find(&s->seeds, href) != INTERN_NONE)
		return accept(REASON_SEED, STR(""));
	if ((surt = longest_surt(s, q->surt)))
		return surt->accept ? accept(REASON_SURT, surt->prefix)
				    : refuse(REASON_SURT, surt->prefix);
	if ((i = pattern_list_find(&s->include, href)) != PATTERN_NONE)
		return accept(REASON_INCLUDE, pattern_text(&s->include, i));
	if (kind_accepts(s, q))
		return accept(reason_of_kind[s->kind], STR(""));
	if (q->off_hops < s->max_off_hops)
		return accept_off_site(REASON_OFF_SITE);
	return refuse(REASON_OUT_OF_SCOPE, reason_table[reason_of_kind[s->kind]].word);
}

struct scope_answer scope_decide(const struct scope *s, const struct scope_question *q)
{
	struct scope_answer a = decide(s, q);

	/* Images and style sheets belong to the page that shows them. */
	if (a.reason == REASON_OUT_OF_SCOPE && q->is_embed && q->off_hops == 0)
		a = accept_off_site(REASON_EMBED);
	if (a.accept && q->depth > s->max_depth)
		return refuse(REASON_DEPTH, STR(""));
	return a;
}
