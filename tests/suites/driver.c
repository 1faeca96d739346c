/*
 * driver.c - our parsers behind a line protocol, for tests/suites/run.py: a
 * line is a word and hexadecimal fields, the answer is one line of fields
 * between tabs.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/encode.h"
#include "web/url.h"

#define FIELDS_MAX 8

struct request {
	struct buf field[FIELDS_MAX];
	size_t n;
};

/* "-" is an absent field, an empty one is empty. */
static bool request_parse(struct request *r, struct str line)
{
	struct str part;

	r->n = 0;
	while (r->n < FIELDS_MAX && str_take_until(&line, ' ', &part)) {
		buf_reset(&r->field[r->n]);
		if (!str_eq(part, STR("-")) && !str_eq(part, STR(".")) &&
		    buf_add_unhex(&r->field[r->n], part) != ST_OK)
			return false;
		r->n++;
	}
	return line.n == 0;
}

static void print_url(const struct url *u)
{
	const struct str parts[] = { u->href,     u->scheme, u->username,
				     u->password, u->host,   u->port,
				     u->path,     u->query,  u->fragment };

	for (size_t i = 0; i < COUNT(parts); i++)
		printf("%s" STR_FMT, i ? "\t" : "", STR_ARG(parts[i]));
	putchar('\n');
}

static void answer_url(struct request *r)
{
	static struct buf base_scratch, scratch;
	struct url base, u;
	struct diag why;

	if (r->n > 1 &&
	    url_parse(buf_str(&r->field[1]), NULL, &base_scratch, &base, NULL))
		puts("base fails");
	else if (url_parse(buf_str(&r->field[0]), r->n > 1 ? &base : NULL, &scratch, &u,
			   &why))
		puts("failure");
	else
		print_url(&u);
}

int main(void)
{
	static struct request r;
	char *line = NULL;
	size_t cap = 0;
	ssize_t n;

	while ((n = getline(&line, &cap, stdin)) > 0) {
		struct str in = str_trim((struct str){ line, (size_t)n }), verb;

		str_take_until(&in, ' ', &verb);
		if (!request_parse(&r, in))
			puts("bad request");
		else if (str_eq(verb, STR("url")))
			answer_url(&r);
		else
			puts("unknown verb");
		fflush(stdout);
	}
	free(line);
	return 0;
}
