/* Heads and every field parser, over the same bytes. */
#include "web/http.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void read_values(const struct http_head *h)
{
	struct http_link link;
	struct media_type media;
	struct str url, link_value = http_get(h, STR("Link"));
	uint64_t n;
	int64_t ms;

	while (http_link_next(&link_value, &link))
		(void)http_link_has_rel(&link, STR("canonical"));
	for (size_t i = 0; i < h->n; i++) {
		struct str v = h->fields[i].value;

		(void)media_type_parse(v, &media);
		(void)http_parse_retry_after(v, 0, &n);
		(void)http_parse_refresh(v, &n, &url);
		(void)http_get_date(h, h->fields[i].name, &ms);
	}
	(void)http_rate_limit(h, 0);
	(void)http_fresh_for_ms(h, 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct str text = { (const char *)data, size };
	struct http_head h = { 0 };

	if (http_head_parse(&h, text, NULL) == ST_OK)
		read_values(&h);
	http_head_release(&h);
	return 0;
}
