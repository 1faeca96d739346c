#include "kb/protocol.h"
#include "kb/serve.h"
#include "test.h"

#include <arpa/inet.h>
#include <string.h>
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
	RUN(the_protocol_names_the_dataset);
	RUN(it_answers_over_a_socket);
	protocol_response_release(&last);
	kb_close(&kb);
	DONE();
}
