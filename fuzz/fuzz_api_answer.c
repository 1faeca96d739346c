#include <stdlib.h>

#include "service/answer.h"
#include "service/websocket.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char text[] =
	"{\"service\":\"f\",\"base_url\":\"http://f\",\"errors\":[{\"path\":\"error\","
	"\"do\":\"wait\",\"wait_path\":\"wait\"}],\"interactions\":{"
	"\"a\":{\"request\":{},\"items\":\"items[*]\",\"id\":\"{id}\",\"paginate\":{"
	"\"type\":\"link\"}},"
	"\"b\":{\"request\":{},\"format\":\"feed\",\"items\":\"items[*]\",\"id\":\"{id}"
	"\"},"
	"\"c\":{\"request\":{},\"format\":\"jsonl\",\"items\":\"[*]\",\"id\":\"{id}\","
	"\"paginate\":{\"type\":\"cursor\",\"param\":\"p\",\"next\":\"[-1].id\"}}}}";

static void read_as(const struct api_service *s, size_t i, const struct http_head *head,
		    struct str body)
{
	cleanup(buf_release) struct buf next = { 0 };
	struct answer_facts f = {
		.code = head->status, .head = head, .body = body, .now_ms = 1790000000000
	};
	struct api_answer a;

	api_answer_read(s, &s->interactions[i], &f, &a);
	if (a.kind == ANSWER_ITEMS)
		page_next(&s->interactions[i].paginate,
			  &(struct page_facts){
				  .head = head, .root = a.root, .url = STR("http://f/") },
			  &next);
	api_answer_release(&a);
}

/* A whole answer, head and body: rate fields, links, JSON, feeds, frames. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct api_service s;
	struct str all = { (const char *)data, size };
	size_t end = str_find(all, STR("\r\n\r\n"));
	cleanup(http_head_release) struct http_head head = { 0 };
	cleanup(doc_release) struct api_doc d = { 0 };
	cleanup(buf_release) struct buf lines = { 0 };
	struct diag why;

	if (s.n == 0 && (doc_parse(&d, STR("f"), str_from(text), &why) != ST_OK ||
			 api_service_parse(&d, &s, &why) != ST_OK))
		abort();
	(void)!websocket_add_lines(all, &lines, &why);
	if (end == STR_NONE ||
	    http_head_parse(&head, str_slice(all, 0, end + 4), NULL) != ST_OK)
		return 0;
	for (size_t i = 0; i < s.n; i++)
		read_as(&s, i, &head, str_skip(all, end + 4));
	return 0;
}
