#include "siteapi/find.h"

#include "url/url.h"

static bool try_links(const struct site_services *s, size_t nr,
		      const struct site_page *page, struct arena *a, struct str *ret)
{
	struct buf scratch[2] = { { 0 }, { 0 } };
	struct url own, u;
	bool found = false,
	     fine = url_parse(page->url, NULL, &scratch[0], &own, NULL) == ST_OK;

	for (size_t k = 0; fine && !found && k < page->n_links; k++)
		found = url_parse(page->links[k].url, &own, &scratch[1], &u, NULL) ==
				ST_OK &&
			site_first_request(s, nr, page->url, u.href, a, ret);
	buf_release(&scratch[0]);
	buf_release(&scratch[1]);
	return found;
}

bool site_find_api(const struct site_services *s, const struct app_library *apps,
		   const struct site_page *page, struct arena *a, struct str *ret_first,
		   struct str *ret_service)
{
	for (size_t k = 0; k < site_services_n(s); k++) {
		uint32_t of = library_find(apps, site_application(s, k));

		/* Of the page's application, or of one that it descends from. */
		if (of == APP_NONE || !library_is_a(apps, page->app, of) ||
		    !try_links(s, k, page, a, ret_first))
			continue;
		*ret_service = site_application(s, k);
		return true;
	}
	return false;
}
