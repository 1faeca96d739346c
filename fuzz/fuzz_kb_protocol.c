/*
 * Requests of any bytes are answered: method, path with query, type and body, one a line.
 * They meet a small store, so that queries run too.
 */
#include <stdlib.h>
#include <string.h>

#include "kb/protocol.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct protocol_options o = { .limits = { .time_ms = 200,
						  .memory_bytes = 1 << 24 } };
	struct str in = { (const char *)data, size };
	struct protocol_request q = { .accept = STR("*/*") };
	struct protocol_response r;
	struct str url;
	struct diag why;
	struct kb k;

	if (!str_take_line(&in, &q.method) || !str_take_line(&in, &url) ||
	    !str_take_line(&in, &q.content_type))
		return 0;
	size_t mark = str_find_char(url, '?');
	q.path = str_slice(url, 0, mark);
	q.query = mark == STR_NONE ? (struct str){ 0 } : str_skip(url, mark + 1);
	q.body = in;
	if (kb_open(&k, NULL, NULL, &why) != ST_OK)
		abort();
	protocol_answer(
		&k, &o,
		&(struct protocol_request){
			.method = STR("PUT"),
			.path = STR("/graphs"),
			.query = STR("default"),
			.content_type = STR("text/turtle"),
			.body = STR("<http://a> <http://b> 1, \"x\"@en, <http://c> .") },
		&r);
	protocol_response_release(&r);
	protocol_answer(&k, &o, &q, &r);
	if (r.status < 200 || r.status > 599 || !r.content_type)
		abort();
	protocol_response_release(&r);
	kb_close(&k);
	return 0;
}
