#include "kb/protocol.h"
#include "kb/serve.h"
#include "test.h"

#include <arpa/inet.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static struct kb kb;
static struct protocol_options options;
static struct protocol_response last;

static unsigned ask(struct protocol_request q)
{
	protocol_response_release(&last);
	protocol_answer(&kb, &options, &q, &last);
	return last.status;
}

static bool body_has(const char *text)
{
	return str_find(buf_str(&last.body), str_from(text)) != STR_NONE;
}

#define POST_TYPE(path_, type, text)                           \
	((struct protocol_request){ .method = STR("POST"),     \
				    .path = STR(path_),        \
				    .content_type = STR(type), \
				    .body = STR(text) })

static void queries_come_three_ways(void)
{
	CHECK(ask((struct protocol_request){ .method = STR("GET"),
					     .path = STR("/sparql"),
					     .query = STR("query=ASK%20%7B%7D") }) ==
	      200);
	CHECK(body_has("\"boolean\":true") && strstr(last.content_type, "json"));
	CHECK(ask(POST_TYPE("/sparql", "application/sparql-query", "ASK { ?s ?p ?o }")) ==
	      200);
	CHECK(body_has("false"));
	CHECK(ask(POST_TYPE("/sparql", "application/x-www-form-urlencoded; charset=utf-8",
			    "query=SELECT+%3Fx+%7BVALUES+%3Fx+%7B1%7D%7D&format=csv")) ==
	      200);
	CHECK(body_has("x\r\n1\r\n") && strstr(last.content_type, "csv"));
}

static void updates_must_be_posted(void)
{
	CHECK(ask(POST_TYPE("/sparql", "application/sparql-update",
			    "INSERT DATA { <http://a> <http://b> 1 }")) == 200);
	CHECK(ask((struct protocol_request){ .method = STR("GET"),
					     .path = STR("/sparql"),
					     .query = STR("update=CLEAR+ALL") }) == 405);
	CHECK(ask(POST_TYPE("/sparql", "application/sparql-query", "ASK { ?s ?p 1 }")) ==
	      200);
	CHECK(body_has("true"));
	options.read_only = true;
	CHECK(ask(POST_TYPE("/sparql", "application/sparql-update", "CLEAR ALL")) == 403);
	options.read_only = false;
}

static void mistakes_are_named(void)
{
	CHECK(ask(POST_TYPE("/sparql", "application/sparql-query", "SELECT")) == 400);
	CHECK(body_has("line 1 column 7: expected a variable"));
	CHECK(ask(POST_TYPE("/sparql", "text/html", "x")) == 415);
	CHECK(ask(POST_TYPE("/sparql", "application/x-www-form-urlencoded",
			    "query=ASK+%7B%7D&query=ASK+%7B%7D")) == 400);
	CHECK(ask(POST_TYPE("/sparql", "application/x-www-form-urlencoded",
			    "query=%zz")) == 400);
	CHECK(ask((struct protocol_request){ .method = STR("GET"), .path = STR("/x") }) ==
	      404);
	CHECK(ask((struct protocol_request){ .method = STR("BREW"),
					     .path = STR("/sparql") }) == 405);
}

static struct protocol_request graph(const char *method, const char *query,
				     const char *body)
{
	return (struct protocol_request){ .method = str_from(method),
					  .path = STR("/graphs"),
					  .query = str_from(query),
					  .content_type = STR("text/turtle"),
					  .accept = STR("application/n-triples"),
					  .body = str_from(body) };
}

static void graphs_are_put_got_extended_and_removed(void)
{
	const char *g = "graph=http%3A%2F%2Fg%2F1";

	CHECK(ask(graph("GET", g, "")) == 404);
	CHECK(ask(graph("PUT", g, "<http://s> <http://p> 1 .")) == 201);
	CHECK(ask(graph("PUT", g, "<http://s> <http://p> 2 .")) == 200);
	CHECK(ask(graph("POST", g, "<http://s> <http://p> 3 .")) == 200);
	CHECK(ask(graph("GET", g, "")) == 200);
	CHECK(body_has("\"2\"^^") && body_has("\"3\"^^") && !body_has("\"1\"^^"));
	CHECK(ask(graph("PUT", g, "this is no Turtle")) == 400);
	CHECK(ask(graph("HEAD", g, "")) == 200 && last.head_only);
	CHECK(ask(graph("DELETE", g, "")) == 200 && ask(graph("GET", g, "")) == 404);
	CHECK(ask(graph("GET", "", "")) == 400 &&
	      ask(graph("GET", "default", "")) == 200);
}

static void other_sites_may_not_change_anything(void)
{
	struct protocol_request q =
		POST_TYPE("/sparql", "application/sparql-update", "CLEAR ALL");

	q.host = STR("localhost:7777");
	q.origin = STR("http://evil.example");
	CHECK(ask(q) == 403);
	q.origin = STR("http://localhost:7777");
	CHECK(ask(q) == 200);
	q.host = STR("evil.example");
	CHECK(ask(q) == 403);
}

/* Reading too: an image or a script of another page costs us the query. */
static void other_sites_may_not_read_either(void)
{
	struct protocol_request q = { .method = STR("GET"),
				      .path = STR("/sparql"),
				      .query = STR("query=ASK+%7B%7D"),
				      .host = STR("localhost:7777") };

	CHECK(ask(q) == 200);
	q.fetch_site = STR("cross-site");
	CHECK(ask(q) == 403);
	q.fetch_site = STR("same-origin");
	CHECK(ask(q) == 200);
	q.fetch_site = STR("");
	q.origin = STR("http://evil.example");
	CHECK(ask(q) == 403);
	q.origin = STR("");
	q.referer = STR("http://evil.example/page");
	CHECK(ask(q) == 403);
	q.path = STR("/");
	q.fetch_site = STR("cross-site");
	q.fetch_mode = STR("navigate");
	CHECK(ask(q) == 200 && body_has("<title>"));
}

static void several_hosts_and_a_token_are_known(void)
{
	static const struct str hosts[] = { { "one.example", 11 },
					    { "two.example", 11 } };
	struct protocol_request q = { .method = STR("GET"),
				      .path = STR("/sparql"),
				      .query = STR("query=ASK+%7B%7D") };

	options.guard = (struct guard_rules){ .hosts = hosts, .n_hosts = 2 };
	q.host = STR("one.example:80");
	CHECK(ask(q) == 200);
	q.host = STR("two.example");
	CHECK(ask(q) == 200);
	q.host = STR("three.example");
	CHECK(ask(q) == 403);
	q.host = STR("localhost");
	options.guard.token = STR("abc");
	CHECK(ask(q) == 401);
	q.authorization = STR("Bearer abc");
	CHECK(ask(q) == 200);
	options.guard = (struct guard_rules){ 0 };
}

static void a_multipart_form_asks_and_loads(void)
{
	CHECK(ask(POST_TYPE(
		      "/sparql", "multipart/form-data; boundary=XX",
		      "--XX\r\nContent-Disposition: form-data; name=\"query\"\r\n\r\n"
		      "ASK { FILTER(1 = 1) }\r\n--XX\r\nContent-Disposition: form-data; "
		      "name=format\r\n\r\ncsv\r\n--XX--\r\n")) == 200);
	CHECK(body_has("true"));
	CHECK(ask(POST_TYPE(
		      "/sparql", "multipart/form-data; boundary=XX",
		      "--XX\r\nContent-Disposition: form-data; name=\"query\"\r\n\r\n"
		      "ASK {}")) == 400);
	struct protocol_request q = graph(
		"PUT", "graph=http%3A%2F%2Fg%2Fparts",
		"--b\r\nContent-Type: text/turtle\r\n\r\n<http://s> <http://p> _:x .\r\n"
		"--b\r\nContent-Disposition: form-data; name=f; filename=\"a.nt\"\r\n\r\n"
		"<http://s> <http://p> _:x .\n\r\n--b--");

	q.content_type = STR("multipart/form-data; boundary=\"b\"");
	CHECK(ask(q) == 201);
	CHECK(ask(POST_TYPE("/sparql", "application/sparql-query",
			    "SELECT (COUNT(*) AS ?n) { GRAPH <http://g/parts> { ?s ?p ?o "
			    "} }")) == 200);
	CHECK(body_has("\"2\"")); /* a label means another node in another part */
	/* One bad part, and nothing is changed. */
	q.body = STR(
		"--b\r\nContent-Type: text/turtle\r\n\r\n<http://s> <http://p> 1 .\r\n"
		"--b\r\nContent-Type: text/turtle\r\n\r\nnonsense\r\n--b--");
	CHECK(ask(q) == 400);
	CHECK(ask(graph("GET", "graph=http%3A%2F%2Fg%2Fparts", "")) == 200 &&
	      !body_has("\"1\""));
	q.body = STR("--b\r\nContent-Type: image/png\r\n\r\nx\r\n--b--");
	CHECK(ask(q) == 400);
	CHECK(ask(graph("DELETE", "graph=http%3A%2F%2Fg%2Fparts", "")) == 200);
}

static void a_dataset_of_the_request_excludes_one_of_the_text(void)
{
	struct protocol_request q =
		POST_TYPE("/sparql", "application/sparql-update",
			  "WITH <http://g/9> INSERT { ?s ?p 1 } WHERE { ?s ?p ?o }");

	q.query = STR("using-named-graph-uri=http%3A%2F%2Fg%2F1");
	CHECK(ask(q) == 400 && body_has("WITH"));
	q.query = STR("using-graph-uri=http%3A%2F%2Fg%2F1");
	CHECK(ask(q) == 400);
	q.body = STR("INSERT { ?s ?p 1 } USING <http://g/9> WHERE { ?s ?p ?o }");
	CHECK(ask(q) == 400);
	q.body = STR("INSERT { ?s ?p 1 } WHERE { ?s ?p ?o . FILTER(false) }");
	CHECK(ask(q) == 200);
}

static void the_default_graph_is_one_or_all(void)
{
	struct protocol_request q =
		POST_TYPE("/sparql", "application/sparql-query",
			  "SELECT (COUNT(*) AS ?n) { ?s <http://u/p> ?o }");

	CHECK(ask(graph("PUT", "graph=http%3A%2F%2Fu%2F1",
			"<http://u/s> <http://u/p> 1, 2 .")) == 201);
	CHECK(ask(graph("PUT", "graph=http%3A%2F%2Fu%2F2",
			"<http://u/s> <http://u/p> 2, 3 .")) == 201);
	CHECK(ask(q) == 200 && body_has("\"0\""));
	options.default_graph = DEFAULT_GRAPH_UNION;
	CHECK(ask(q) == 200 &&
	      body_has("\"3\"")); /* a triple of two graphs counts once */
	q.body = STR("SELECT (COUNT(*) AS ?n) FROM <http://u/1> { ?s <http://u/p> ?o }");
	CHECK(ask(q) == 200 && body_has("\"2\""));
	options.default_graph = DEFAULT_GRAPH_OWN;
	CHECK(ask(graph("DELETE", "graph=http%3A%2F%2Fu%2F1", "")) == 200);
	CHECK(ask(graph("DELETE", "graph=http%3A%2F%2Fu%2F2", "")) == 200);
}

static void the_protocol_names_the_dataset(void)
{
	CHECK(ask(graph("PUT", "graph=http%3A%2F%2Fg%2F2",
			"<http://s> <http://p> 5 .")) == 201);
	CHECK(ask((struct protocol_request){
		      .method = STR("GET"),
		      .path = STR("/sparql"),
		      .accept = STR("text/csv"),
		      .query = STR("default-graph-uri=http%3A%2F%2Fg%2F2&query=SELECT+%"
				   "3Fo+%7B%3Fs+"
				   "%3Fp+%3Fo%7D") }) == 200);
	CHECK(body_has("o\r\n5\r\n"));
}

/* Over a real socket: the page, and a query. */
static bool exchange(uint16_t port, const char *request, char *to, size_t n)
{
	struct sockaddr_in at = { .sin_family = AF_INET,
				  .sin_port = htons(port),
				  .sin_addr = { htonl(INADDR_LOOPBACK) } };
	int fd = socket(AF_INET, SOCK_STREAM, 0);
	size_t used = 0;
	ssize_t got;

	if (connect(fd, (struct sockaddr *)&at, sizeof(at)) != 0 ||
	    write(fd, request, strlen(request)) < 0)
		return false;
	while (used + 1 < n && (got = read(fd, to + used, n - 1 - used)) > 0)
		used += (size_t)got;
	to[used] = '\0';
	close(fd);
	return used > 0;
}

static void it_answers_over_a_socket(void)
{
	static char text[1 << 16];
	struct kb_server *s;
	struct diag why;

	CHECK(kb_serve_start(&s, &kb, &(struct serve_options){ 0 }, &why) == ST_OK);
	CHECK(exchange(kb_serve_port(s),
		       "GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
		       text, sizeof(text)));
	CHECK(strstr(text, "200 OK") && strstr(text, "<title>thresh kb</title>"));
	CHECK(exchange(
		kb_serve_port(s),
		"GET /sparql?query=ASK%7B%7D HTTP/1.1\r\nHost: localhost\r\nConnection: "
		"close\r\n\r\n",
		text, sizeof(text)));
	CHECK(strstr(text, "\"boolean\":true"));
	kb_serve_stop(s);
}

static int connect_to(uint16_t port)
{
	struct sockaddr_in at = { .sin_family = AF_INET,
				  .sin_port = htons(port),
				  .sin_addr = { htonl(INADDR_LOOPBACK) } };
	int fd = socket(AF_INET, SOCK_STREAM, 0);

	if (connect(fd, (struct sockaddr *)&at, sizeof(at)) != 0) {
		close(fd);
		return -1;
	}
	return fd;
}

#define ASK_QUERY                                                                 \
	"GET /sparql?query=ASK%7B%7D HTTP/1.1\r\nHost: localhost\r\nConnection: " \
	"close\r\n\r\n"

static void idle_connections_make_room(void)
{
	static char text[1 << 16];
	int idle[300];
	struct kb_server *s;
	struct diag why;

	CHECK(kb_serve_start(&s, &kb, &(struct serve_options){ 0 }, &why) == ST_OK);
	for (size_t i = 0; i < COUNT(idle); i++)
		idle[i] = connect_to(kb_serve_port(s));
	int64_t from = clock_mono_ms(&real_clock);
	for (int i = 0; i < 20; i++)
		CHECK(exchange(kb_serve_port(s), ASK_QUERY, text, sizeof(text)) &&
		      strstr(text, "\"boolean\":true"));
	CHECK(clock_mono_ms(&real_clock) - from < 10000);
	for (size_t i = 0; i < COUNT(idle); i++)
		close(idle[i]);
	kb_serve_stop(s);
}

/* The head is enough: no byte of these bodies is ever sent. */
static void a_refusal_does_not_wait_for_the_body(void)
{
	static const char *const heads[][2] = {
		{ "POST /sparql HTTP/1.1\r\nHost: localhost\r\nOrigin: "
		  "http://evil.example\r\nContent-Type: application/sparql-update\r\n"
		  "Content-Length: 200000000\r\n\r\n",
		  " 403 " },
		{ "POST /sparql HTTP/1.1\r\nHost: evil.example\r\nContent-Length: "
		  "200000000\r\n\r\n",
		  " 403 " },
		{ "PUT /graphs?default HTTP/1.1\r\nHost: localhost\r\nContent-Length: "
		  "2000000000\r\n\r\n",
		  " 413 " },
		{ "PUT /nowhere HTTP/1.1\r\nHost: localhost\r\nContent-Length: "
		  "200000\r\n\r\n",
		  " 404 " },
	};
	static char text[1 << 16];
	struct kb_server *s;
	struct diag why;

	CHECK(kb_serve_start(&s, &kb, &(struct serve_options){ 0 }, &why) == ST_OK);
	for (size_t i = 0; i < COUNT(heads); i++)
		CHECK(exchange(kb_serve_port(s), heads[i][0], text, sizeof(text)) &&
		      strstr(text, heads[i][1]));
	kb_serve_stop(s);
}

static void all_bodies_together_are_bounded(void)
{
	cleanup(buf_release) struct buf request = { 0 };
	static char text[1 << 16];
	struct kb_server *s;
	struct diag why;
	int held;

	CHECK(kb_serve_start(&s, &kb, &(struct serve_options){ .bodies_bytes = 100000 },
			     &why) == ST_OK);
	/* Somebody has sent most of what all may and does not go on. */
	buf_add(&request, STR("PUT /graphs?default HTTP/1.1\r\nHost: localhost\r\n"
			      "Content-Length: 90001\r\n\r\n"));
	for (int i = 0; i < 90000; i++)
		buf_add_char(&request, '#');
	held = connect_to(kb_serve_port(s));
	CHECK(write(held, request.p, request.n) == (ssize_t)request.n);
	struct timespec pause = { .tv_nsec = 200000000 };
	nanosleep(&pause, NULL);
	buf_reset(&request);
	buf_add(&request,
		STR("POST /sparql HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
		    "Content-Type: application/sparql-query\r\nContent-Length: "
		    "50000\r\n\r\nASK {} "));
	for (int i = 0; i < 50000 - 7; i++)
		buf_add_char(&request, ' ');
	CHECK(exchange(kb_serve_port(s), buf_cstr(&request), text, sizeof(text)));
	CHECK(strstr(text, " 503 "));
	close(held);
	for (int i = 0; i < 100 && !strstr(text, " 200 "); i++) {
		nanosleep(&pause, NULL);
		CHECK(exchange(kb_serve_port(s), buf_cstr(&request), text, sizeof(text)));
	}
	CHECK(strstr(text, " 200 "));
	kb_serve_stop(s);
}

#define LONG_QUERY                                                                     \
	"GET /sparql?query=ASK%7B?a%20?b%20?c.?d%20?e%20?f.?g%20?h%20?i.?j%20?k%20?l." \
	"?m%20?n%20?o%20FILTER(?c%2B?f%2B?i%2B?l%2B?o%3C0)%7D "                        \
	"HTTP/1.1\r\n"                                                                 \
	"Host: localhost\r\n\r\n"

/* What runs is listed; wait until the list has this text, or has it no more. */
static bool wait_for_list(uint16_t port, const char *has, bool wanted, char *text,
			  size_t n)
{
	struct timespec pause = { .tv_nsec = 20000000 };

	for (int i = 0; i < 500; i++) {
		if (!exchange(port,
			      "GET /queries HTTP/1.1\r\nHost: localhost\r\nConnection: "
			      "close\r\n\r\n",
			      text, n))
			return false;
		if ((strstr(text, has) != NULL) == wanted)
			return true;
		nanosleep(&pause, NULL);
	}
	return false;
}

static void a_query_ends_with_its_client_or_by_its_number(void)
{
	static char text[1 << 16], request[200];
	struct serve_options o = { .protocol.limits.time_ms = 60000 };
	struct kb_server *s;
	struct diag why;
	unsigned id;
	int fd;

	CHECK(kb_serve_start(&s, &kb, &o, &why) == ST_OK);
	uint16_t port = kb_serve_port(s);
	fd = connect_to(port);
	CHECK(write(fd, LONG_QUERY, strlen(LONG_QUERY)) > 0);
	CHECK(wait_for_list(port, "ASK{?a", true, text, sizeof(text)));
	close(fd);
	CHECK(wait_for_list(port, "ASK{?a", false, text, sizeof(text)));

	fd = connect_to(port);
	CHECK(write(fd, LONG_QUERY, strlen(LONG_QUERY)) > 0);
	CHECK(wait_for_list(port, "ASK{?a", true, text, sizeof(text)));
	CHECK(sscanf(strstr(text, "\"id\":"), "\"id\":%u", &id) == 1);
	snprintf(request, sizeof(request),
		 "DELETE /queries?id=%u HTTP/1.1\r\nHost: localhost\r\nConnection: "
		 "close\r\n\r\n",
		 id);
	CHECK(exchange(port, request, text, sizeof(text)) && strstr(text, " 200 "));
	CHECK(read(fd, text, sizeof(text) - 1) > 0 && strstr(text, "cancelled"));
	CHECK(exchange(port, request, text, sizeof(text)) && strstr(text, " 404 "));
	close(fd);
	kb_serve_stop(s);
}

static void so_many_queries_run_and_no_more(void)
{
	static char text[1 << 16];
	struct serve_options o = { .protocol.limits.time_ms = 60000, .queries = 1 };
	struct kb_server *s;
	struct diag why;
	int fd;

	CHECK(kb_serve_start(&s, &kb, &o, &why) == ST_OK);
	uint16_t port = kb_serve_port(s);
	fd = connect_to(port);
	CHECK(write(fd, LONG_QUERY, strlen(LONG_QUERY)) > 0);
	CHECK(wait_for_list(port, "ASK{?a", true, text, sizeof(text)));
	CHECK(exchange(port, ASK_QUERY, text, sizeof(text)) && strstr(text, " 503 "));
	close(fd);
	kb_serve_stop(s);
}

static bool fill(void)
{
	cleanup(buf_release) struct buf b = { 0 };

	for (int i = 0; i < 300; i++)
		buf_addf(&b, "<http://s/%d> <http://p> %d .\n", i, i);
	return ask(graph("PUT", "default", buf_cstr(&b))) == 200;
}

int main(void)
{
	struct diag why;

	if (kb_open(&kb, NULL, NULL, &why) != ST_OK)
		return 1;
	RUN(queries_come_three_ways);
	RUN(updates_must_be_posted);
	RUN(mistakes_are_named);
	RUN(graphs_are_put_got_extended_and_removed);
	RUN(other_sites_may_not_change_anything);
	RUN(other_sites_may_not_read_either);
	RUN(several_hosts_and_a_token_are_known);
	RUN(a_multipart_form_asks_and_loads);
	RUN(a_dataset_of_the_request_excludes_one_of_the_text);
	RUN(the_default_graph_is_one_or_all);
	RUN(the_protocol_names_the_dataset);
	RUN(it_answers_over_a_socket);
	RUN(idle_connections_make_room);
	RUN(a_refusal_does_not_wait_for_the_body);
	RUN(all_bodies_together_are_bounded);
	if (!fill())
		return 1;
	RUN(a_query_ends_with_its_client_or_by_its_number);
	RUN(so_many_queries_run_and_no_more);
	protocol_response_release(&last);
	kb_close(&kb);
	DONE();
}
