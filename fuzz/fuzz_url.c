/* A URL parses to something that parses to itself; so does a link resolved in it. */
#include <stdlib.h>

#include "url/url.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(bool holds)
{
	if (!holds)
		abort();
}

/* The base is copied: neither input nor base may lie in the scratch. */
static void parse_again(const struct url *u)
{
	struct buf scratch = { 0 };
	struct url again;

	if (u->href.n <= URL_MAX_BYTES) {
		check(url_parse(u->href, NULL, &scratch, &again, NULL) == ST_OK);
		check(str_eq(again.href, u->href) && str_eq(again.path, u->path) &&
		      str_eq(again.host, u->host) && str_eq(again.query, u->query) &&
		      again.host_kind == u->host_kind);
	}
	buf_release(&scratch);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct str in = { (const char *)data, size }, first;
	struct buf base_scratch = { 0 }, scratch = { 0 };
	struct url base, u;

	if (str_take_until(&in, '\n', &first) &&
	    url_parse(first, NULL, &base_scratch, &base, NULL) == ST_OK) {
		parse_again(&base);
		if (url_parse(in, &base, &scratch, &u, NULL) == ST_OK)
			parse_again(&u);
	}
	buf_release(&base_scratch);
	buf_release(&scratch);
	return 0;
}
