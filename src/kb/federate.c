#include "kb/federate.h"

#include <curl/curl.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/json.h"

#define ANSWER_BYTES ((size_t)256 << 20)
#define TIMEOUT_MS   60000L

/* The host of an http or https URL; empty for anything else. */
static struct str host_of(struct str url)
{
	size_t end;

	if (!str_take_prefix(&url, STR("http://")) &&
	    !str_take_prefix(&url, STR("https://")))
		return (struct str){ 0 };
	for (end = 0; end < url.n; end++)
		if (url.p[end] == '/' || url.p[end] == '?' || url.p[end] == '#' ||
		    url.p[end] == '@')
			break;
	if (end < url.n && url.p[end] == '@') /* no user may stand before the host */
		return (struct str){ 0 };
	struct str host = str_slice(url, 0, end);
	size_t colon = str_rfind_char(host, ':'), bracket = str_rfind_char(host, ']');
	return colon == STR_NONE || (bracket != STR_NONE && colon < bracket)
		       ? host
		       : str_slice(host, 0, colon);
}

static bool is_allowed(const struct federation *f, struct str endpoint)
{
	struct str host = host_of(endpoint);

	for (size_t i = 0; host.n && i < f->hosts->n; i++)
		if (str_eq_nocase(host, f->hosts->v[i]))
			return true;
	return false;
}

static size_t receive(char *data, size_t size, size_t count, void *to)
{
	buf_add(to, (struct str){ data, size * count });
	return ((struct buf *)to)->overflow ? 0 : size * count;
}

static enum status post(const struct federation *f, const char *url, struct str query,
			struct buf *to, struct diag *why)
{
	struct curl_slist *headers =
		curl_slist_append(NULL, "Content-Type: application/sparql-query");
	CURL *c = curl_easy_init();
	long code = 0;

	headers = curl_slist_append(headers, "Accept: application/sparql-results+json");
	curl_easy_setopt(c, CURLOPT_URL, url);
	curl_easy_setopt(c, CURLOPT_PROTOCOLS_STR, "http,https");
	curl_easy_setopt(c, CURLOPT_FOLLOWLOCATION, 0L);
	curl_easy_setopt(c, CURLOPT_PROXY, "");
	curl_easy_setopt(c, CURLOPT_NOSIGNAL, 1L);
	curl_easy_setopt(c, CURLOPT_TIMEOUT_MS,
			 f->timeout_ms ? (long)f->timeout_ms : TIMEOUT_MS);
	curl_easy_setopt(c, CURLOPT_HTTPHEADER, headers);
	curl_easy_setopt(c, CURLOPT_POSTFIELDS, query.p);
	curl_easy_setopt(c, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)query.n);
	curl_easy_setopt(c, CURLOPT_WRITEFUNCTION, receive);
	curl_easy_setopt(c, CURLOPT_WRITEDATA, to);
	CURLcode done = curl_easy_perform(c);
	curl_easy_getinfo(c, CURLINFO_RESPONSE_CODE, &code);
	curl_easy_cleanup(c);
	curl_slist_free_all(headers);
	if (done != CURLE_OK)
		return diag_fail(why, ST_IO, "%s", curl_easy_strerror(done));
	return code == 200 ? ST_OK : diag_fail(why, ST_IO, "it answered %ld", code);
}

static struct term term_from_json(const struct json *v)
{
	struct str type = json_str(json_get(v, "type")),
		   text = json_str(json_get(v, "value"));
	struct str lang = json_str(json_get(v, "xml:lang"));

	if (str_eq(type, STR("uri")))
		return term_iri(text);
	if (str_eq(type, STR("bnode")))
		return (struct term){ 0 }; /* it means nothing here */
	if (lang.n)
		return term_lang(text, lang);
	return term_typed(text, json_str(json_get(v, "datatype")));
}

static enum status give_rows(const struct json *answer, struct service_sink sink)
{
	const struct json *rows = json_get(json_get(answer, "results"), "bindings");

	struct str *names = NULL;
	struct term *terms = NULL;
	size_t names_cap = 0, terms_cap = 0;
	enum status st = ST_OK;

	for (const struct json *r = json_first(rows); r && st == ST_OK;
	     r = json_next(r)) {
		size_t n = 0;

		for (const struct json *b = json_first(r); b; b = json_next(b)) {
			VEC_RESERVE(names, names_cap, n + 1);
			VEC_RESERVE(terms, terms_cap, n + 1);
			names[n] = json_name(b);
			terms[n++] = term_from_json(b);
		}
		st = sink.row(sink.context, names, terms, n);
	}
	free(names);
	free(terms);
	return st;
}

static enum status ask(void *context, struct str endpoint, struct str query,
		       struct service_sink sink, struct diag *why)
{
	const struct federation *f = context;
	cleanup(buf_release) struct buf url = { 0 }, text = BUF(ANSWER_BYTES);
	cleanup(json_release) struct json *answer = NULL;

	if (!is_allowed(f, endpoint))
		return diag_fail(why, ST_DENIED, "this host was not allowed");
	buf_add(&url, endpoint);
	TRY(post(f, buf_cstr(&url), query, &text, why));
	TRY(json_parse(buf_str(&text), &answer, why));
	return give_rows(answer, sink);
}

struct service federation_service(struct federation *f)
{
	if (f->hosts->n == 0)
		return (struct service){ 0 };
	return (struct service){ ask, f };
}
