#include <stdlib.h>

#include "service/wikitext.h"
#include "siteapi/siteapi.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char *const urls[] = {
	"https://b.test/?rest_route=%2Fwp%2Fv2%2Fposts&per_page=100&orderby=id&order=asc&"
	"page=1",
	"https://w.test/"
	"api.php?action=query&format=json&formatversion=2&generator=allpages&"
	"gaplimit=50&gapnamespace=0&prop=revisions%7Cinfo%7Cimages&rvprop=ids%"
	"7Ctimestamp%"
	"7Cuser%7Ccontent&rvslots=main&inprop=url&imlimit=max",
	"https://m.test/api/v1/timelines/public?limit=40&local=true",
	"https://d.test/posts.json",
};

static void read_as(const struct site_services *s, struct str url, struct str head,
		    struct str body)
{
	cleanup(arena_release) struct arena a = { 0 };
	struct site_answer answer;

	if (site_read(s,
		      &(struct site_response){
			      .code = 200, .url = url, .head = head, .body = body },
		      &a, &answer) != ST_OK)
		return;
	for (size_t k = 0; k < answer.n; k++)
		if (answer.v[k].n_pages > SITE_PAGES_MAX)
			abort();
	/* What leads on is a request again. */
	if (answer.end == SITE_GOES_ON &&
	    site_read(s, &(struct site_response){ .url = answer.next }, &a, &answer) !=
		    ST_OK)
		abort();
}

/* An answer, head and body, of each service; or a URL in the first line; wikitext. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct site_services *s;
	struct str all = { (const char *)data, size }, rest = all, line;
	cleanup(buf_release) struct buf text = { 0 };
	size_t end = str_find(all, STR("\r\n\r\n"));
	struct diag why;

	if (!s && site_services_open(&s, &why) != ST_OK)
		abort();
	wikitext_add_html(all, &text);
	if (end == STR_NONE)
		return 0;
	struct str head = str_slice(all, 0, end + 4), body = str_skip(all, end + 4);
	for (size_t k = 0; k < sizeof(urls) / sizeof(*urls); k++)
		read_as(s, str_from(urls[k]), head, body);
	if (str_take_line(&rest, &line))
		read_as(s, str_trim(line), str_slice(rest, 0, end), body);
	return 0;
}
