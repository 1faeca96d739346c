#include "siteapi/siteapi.h"

bool site_api_pays(const struct site_costs *c)
{
	uint64_t left = c->list_left + c->lists_left;
	uint64_t later =
		c->list_sent > 0 ? c->list_pages * c->list_left / c->list_sent : 0;

	/* Without anything more to pay it is worth having what it brought. */
	return left == 0 || c->sent + left < c->pages + later;
}
