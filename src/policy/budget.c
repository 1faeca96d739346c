#include "policy/budget.h"

#include "base/hash.h"

void budget_release(struct budget *b)
{
	map_release(&b->degrees);
}

static bool reached(uint64_t spent, uint64_t limit)
{
	return limit != 0 && spent >= limit;
}

enum reason budget_total_reached(const struct budget *b, int64_t now_ms)
{
	const struct budget_settings *s = &b->settings;

	if (reached(b->total.pages - b->since.pages, s->max_pages))
		return REASON_MAX_PAGES;
	if (reached(b->total.bytes - b->since.bytes, s->max_bytes))
		return REASON_MAX_BYTES;
	if (s->max_time_ms != 0 && now_ms - b->start_ms >= (int64_t)s->max_time_ms)
		return REASON_MAX_TIME;
	return REASON_NONE;
}

void budget_renew(struct budget *b, enum reason limit, int64_t now_ms)
{
	if (limit == REASON_MAX_PAGES)
		b->since.pages = b->total.pages;
	if (limit == REASON_MAX_BYTES)
		b->since.bytes = b->total.bytes;
	if (limit == REASON_MAX_TIME)
		b->start_ms = now_ms;
}

uint64_t budget_domain_pages(const struct budget *b, uint32_t degree)
{
	const struct budget_settings *s = &b->settings;
	uint64_t pages = s->domain_pages + s->domain_per_degree * degree;

	if (s->domain_pages == 0)
		return UINT64_MAX;
	return s->domain_pages_max != 0 ? MIN(pages, s->domain_pages_max) : pages;
}

enum reason budget_reached(const struct budget *b, const struct spent *host,
			   const struct spent *domain, uint32_t degree, bool is_sitemap)
{
	if (reached(host->pages, b->settings.host_pages))
		return REASON_HOST_PAGES;
	if (reached(host->bytes, b->settings.host_bytes))
		return REASON_HOST_BYTES;
	if (is_sitemap && reached(host->sitemaps, b->settings.host_sitemaps))
		return REASON_HOST_SITEMAPS;
	if (domain->pages >= budget_domain_pages(b, degree))
		return REASON_DOMAIN_PAGES;
	return REASON_NONE;
}

bool budget_link(struct budget *b, uint64_t from, uint64_t to, uint32_t degree)
{
	bool is_new;

	/* Past the maximum the pair does not matter, and need not be remembered. */
	if (from == to || degree >= b->settings.degree_max)
		return false;
	map_add(&b->degrees, hash_mix(from) ^ to, &is_new);
	return is_new;
}
