#include "browser/exchange.h"
#include "test.h"

static struct exchange_list list;

/* An event of session "S"; true when a body is to be asked for. */
static bool tell(const char *method, const char *params, struct exchange **ret)
{
	struct json *v = NULL;

	if (json_parse(str_from(params), &v, NULL) != ST_OK)
		return false;
	bool ask = exchange_event(&list, STR("S"), str_from(method), v, ret);
	json_release(&v);
	return ask;
}

static bool answer(uint64_t call, const char *result)
{
	struct json *v = NULL;

	if (result && json_parse(str_from(result), &v, NULL) != ST_OK)
		return false;
	bool mine = exchange_answer(&list, call, v);
	json_release(&v);
	return mine;
}

#define SENT  "Network.requestWillBeSent"
#define MORE  "Network.requestWillBeSentExtraInfo"
#define GOT   "Network.responseReceived"
#define RAW   "Network.responseReceivedExtraInfo"
#define ENDED "Network.loadingFinished"

static void a_request_and_its_answer_become_one_exchange(void)
{
	struct exchange *e;

	CHECK(!tell(SENT,
		    "{\"requestId\":\"1\",\"documentURL\":\"http://a/\",\"request\":{"
		    "\"url\":\"http://a.example/x?y#z\",\"method\":\"POST\",\"headers\":{"
		    "\"X\":\"1\"},\"postData\":\"a=b\"}}",
		    &e));
	CHECK(!tell(MORE,
		    "{\"requestId\":\"1\",\"headers\":{\":path\":\"/x\","
		    "\":authority\":\"a.example\",\"Cookie\":\"c=d\\ne=f\"}}",
		    &e));
	CHECK(!tell(
		RAW,
		"{\"requestId\":\"1\",\"statusCode\":200,\"headersText\":\"HTTP/1.1 200 "
		"Fine\\r\\nContent-Encoding: gzip\\r\\nB: 2\\r\\n\\r\\n\"}",
		&e));
	CHECK(!tell(GOT,
		    "{\"requestId\":\"1\",\"response\":{\"status\":200,"
		    "\"remoteIPAddress\":\"1.2.3.4\",\"protocol\":\"h2\"}}",
		    &e));
	CHECK(exchange_take(&list) == NULL);
	CHECK(tell(ENDED, "{\"requestId\":\"1\"}", &e) && exchange_pending(&list) == 1);
	e->body_call = 77;
	CHECK(!answer(76, "{\"body\":\"no\"}"));
	CHECK(answer(77, "{\"body\":\"aGVsbG8=\",\"base64Encoded\":true}"));
	e = exchange_take(&list);
	CHECK(e && e->status == 200 && str_eq(buf_str(&e->body), STR("hello")));
	CHECK(str_eq(buf_str(&e->url), STR("http://a.example/x?y")));
	CHECK(str_eq(
		buf_str(&e->request),
		STR("POST /x?y HTTP/1.1\r\nHost: a.example\r\nCookie: c=d\r\nCookie: "
		    "e=f\r\n\r\na=b")));
	CHECK(str_eq(buf_str(&e->head),
		     STR("HTTP/1.1 200 Fine\r\nX-Archive-Orig-Content-Encoding: "
			 "gzip\r\nB: 2\r\n\r\n")));
	CHECK(str_eq(buf_str(&e->ip), STR("1.2.3.4")) && !e->body_missing);
	exchange_free(e);
	CHECK(exchange_take(&list) == NULL && list.n == 0);
}

static void each_hop_of_a_redirection_is_an_exchange(void)
{
	struct exchange *e;

	tell(SENT,
	     "{\"requestId\":\"2\",\"request\":{\"url\":\"http://a/1\","
	     "\"method\":\"GET\"}}",
	     &e);
	tell(SENT,
	     "{\"requestId\":\"2\",\"request\":{\"url\":\"http://a/"
	     "2\",\"method\":\"GET\"},"
	     "\"redirectResponse\":{\"status\":302,\"statusText\":\"Found\",\"headers\":{"
	     "\"Location\":\"/2\"}}}",
	     &e);
	e = exchange_take(&list);
	CHECK(e && e->status == 302 && str_eq(buf_str(&e->url), STR("http://a/1")));
	CHECK(str_eq(buf_str(&e->head),
		     STR("HTTP/1.1 302 Found\r\nLocation: /2\r\n\r\n")));
	exchange_free(e);
	tell("Network.loadingFailed",
	     "{\"requestId\":\"2\",\"errorText\":\"net::ERR_FAILED\"}", &e);
	e = exchange_take(&list);
	CHECK(e && e->head.n == 0 && str_eq(buf_str(&e->error), STR("net::ERR_FAILED")));
	exchange_free(e);
}

static void fields_that_come_early_are_kept_for_their_request(void)
{
	struct exchange *e;

	tell(MORE, "{\"requestId\":\"3\",\"headers\":{\"Host\":\"a\",\"Early\":\"yes\"}}",
	     &e);
	tell(SENT,
	     "{\"requestId\":\"3\",\"request\":{\"url\":\"http://a/\","
	     "\"method\":\"GET\",\"headers\":{\"Late\":\"no\"}}}",
	     &e);
	exchange_abandon(&list, STR("S"));
	e = exchange_take(&list);
	CHECK(e && e->body_missing &&
	      str_eq(buf_str(&e->request),
		     STR("GET / HTTP/1.1\r\nHost: a\r\nEarly: yes\r\n\r\n")));
	exchange_free(e);
}

static void text_is_said_to_be_utf8_where_it_is_not_what_was_sent(void)
{
	struct exchange *e;

	tell(SENT,
	     "{\"requestId\":\"4\",\"request\":{\"url\":\"http://a/\","
	     "\"method\":\"GET\"}}",
	     &e);
	tell(GOT,
	     "{\"requestId\":\"4\",\"response\":{\"status\":200,\"statusText\":\"OK\","
	     "\"headers\":{\"Content-Type\":\"text/html; charset=latin1\"}}}",
	     &e);
	CHECK(tell(ENDED, "{\"requestId\":\"4\"}", &e));
	e->body_call = 5;
	CHECK(answer(5, "{\"body\":\"caf\\u00e9\",\"base64Encoded\":false}"));
	e = exchange_take(&list);
	CHECK(e &&
	      str_eq(buf_str(&e->head),
		     STR("HTTP/1.1 200 OK\r\nX-Archive-Orig-Content-Type: text/html; "
			 "charset=latin1\r\nContent-Type: text/html; "
			 "charset=utf-8\r\n\r\n")));
	exchange_free(e);
}

static void what_came_from_a_cache_or_is_no_web_is_left_out(void)
{
	struct exchange *e;

	tell(SENT, "{\"requestId\":\"5\",\"request\":{\"url\":\"data:,x\"}}", &e);
	CHECK(list.n == 0);
	tell(SENT, "{\"requestId\":\"6\",\"request\":{\"url\":\"http://a/\"}}", &e);
	tell("Network.requestServedFromCache", "{\"requestId\":\"6\"}", &e);
	CHECK(!tell(ENDED, "{\"requestId\":\"6\"}", &e));
	CHECK(exchange_take(&list) == NULL && list.n == 0);
}

static void lines_in_a_value_stay_in_their_field(void)
{
	struct exchange *e;

	tell(SENT,
	     "{\"requestId\":\"7\",\"request\":{\"url\":\"http://a/b\\r\\nX: "
	     "y\",\"method\":"
	     "\"GET\\n\",\"headers\":{\"A\\r\\nB\":\"c\\rd\"}}}",
	     &e);
	/* Another document is loaded: nobody will read this one to its end. */
	exchange_leave(&list, STR("none"));
	e = exchange_take(&list);
	CHECK(e && str_eq(buf_str(&e->request),
			  STR("GET  /b  X: y HTTP/1.1\r\nHost: a\r\nA  B: c d\r\n\r\n")));
	exchange_free(e);
}

int main(void)
{
	RUN(a_request_and_its_answer_become_one_exchange);
	RUN(each_hop_of_a_redirection_is_an_exchange);
	RUN(fields_that_come_early_are_kept_for_their_request);
	RUN(text_is_said_to_be_utf8_where_it_is_not_what_was_sent);
	RUN(what_came_from_a_cache_or_is_no_web_is_left_out);
	RUN(lines_in_a_value_stay_in_their_field);
	exchange_list_release(&list);
	DONE();
}
