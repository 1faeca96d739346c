/*
 * web_driver.c - the parsers of src/web behind a line protocol, for web.py: a line
 * is a verb and hexadecimal fields ("." is an empty one), the answer is one line
 * of fields between tabs.
 */
#include <stdio.h>
#include <stdlib.h>

#include "base/encode.h"
#include "url/idna.h"
#include "url/suffix.h"
#include "url/url.h"
#include "web/robots.h"

#define FIELDS_MAX 4
#define NAMES_MAX  16

struct request {
	struct buf field[FIELDS_MAX];
	size_t n;
};

static bool request_parse(struct request *r, struct str line)
{
	struct str part;

	r->n = 0;
	while (r->n < FIELDS_MAX && str_take_until(&line, ' ', &part)) {
		buf_reset(&r->field[r->n]);
		if (!str_eq(part, STR(".")) &&
		    buf_add_unhex(&r->field[r->n], part) != ST_OK)
			return false;
		r->n++;
	}
	return line.n == 0;
}

static struct str field(struct request *r, size_t i)
{
	return i < r->n ? buf_str(&r->field[i]) : STR("");
}

/* url INPUT [BASE] */
static void answer_url(struct request *r)
{
	static struct buf base_scratch, scratch;
	struct url base, u;

	if (r->n > 1 &&
	    url_parse(field(r, 1), NULL, &base_scratch, &base, NULL) != ST_OK) {
		puts("failure");
		return;
	}
	if (url_parse(field(r, 0), r->n > 1 ? &base : NULL, &scratch, &u, NULL) !=
	    ST_OK) {
		puts("failure");
		return;
	}
	const struct str parts[] = { u.href, u.scheme, u.username, u.password, u.host,
				     u.port, u.path,   u.query,    u.fragment };

	for (size_t i = 0; i < COUNT(parts); i++)
		printf("%s" STR_FMT, i ? "\t" : "", STR_ARG(parts[i]));
	putchar('\n');
}

/* idna DOMAIN: Unicode ToASCII alone, which the URL parser asks only for other scripts.
 */
static void answer_idna(struct request *r)
{
	static struct buf to;

	buf_reset(&to);
	if (idna_to_ascii(field(r, 0), &to, NULL) != ST_OK)
		puts("failure");
	else
		printf(STR_FMT "\n", STR_ARG(buf_str(&to)));
}

static void answer_site(struct request *r)
{
	printf(STR_FMT "\n", STR_ARG(suffix_registrable(field(r, 0))));
}

static void print_robots(const struct robots *r, struct robots_verdict v)
{
	printf("%s\t%u\t" STR_FMT "\t%llu\t%zu\t%d\t%u\t%u\t%u\t",
	       v.allowed ? "allow" : "deny", v.line, STR_ARG(v.pattern),
	       (unsigned long long)r->crawl_delay_ms, r->rules_n, r->named, r->fields,
	       r->unknown_fields, r->last_line);
	for (size_t i = 0; i < r->notes_n; i++)
		if (r->notes[i].kind == NOTE_SITEMAP)
			printf(STR_FMT " ", STR_ARG(r->notes[i].value));
	putchar('\n');
}

/*
 * robots TEXT NAMES URL: by the RFC, for the path of a parsed URL.
 * google TEXT NAMES PATH: as Google's parser, the path as it is.
 */
static void answer_robots(struct request *r, bool as_google)
{
	static struct buf scratch;
	struct str names[NAMES_MAX], list = field(r, 1), path = field(r, 2);
	size_t n = 0;
	struct robots robots;
	struct url u;

	while (n < NAMES_MAX && str_take_line(&list, &names[n]))
		n++;
	if (!as_google)
		path = url_parse(path, NULL, &scratch, &u, NULL) == ST_OK
			       ? url_path_query(&u)
			       : STR("/");
	robots_parse(&robots, field(r, 0),
		     &(struct robots_options){ names, n, .as_google = as_google });
	print_robots(&robots, robots_decide(&robots, path));
	robots_release(&robots);
}

static void answer(struct str verb, struct request *r)
{
	if (str_eq(verb, STR("url")))
		answer_url(r);
	else if (str_eq(verb, STR("idna")))
		answer_idna(r);
	else if (str_eq(verb, STR("site")))
		answer_site(r);
	else if (str_eq(verb, STR("robots")))
		answer_robots(r, false);
	else if (str_eq(verb, STR("google")))
		answer_robots(r, true);
	else if (str_eq(verb, STR("agent")))
		puts(robots_name_valid(field(r, 0)) ? "valid" : "invalid");
	else
		puts("unknown verb");
}

int main(void)
{
	static struct request r;
	char *line = NULL;
	size_t cap = 0;
	ssize_t n;

	while ((n = getline(&line, &cap, stdin)) > 0) {
		struct str in = str_trim((struct str){ line, (size_t)n }), verb = STR("");

		str_take_until(&in, ' ', &verb);
		if (request_parse(&r, in))
			answer(verb, &r);
		else
			puts("bad request");
		fflush(stdout);
	}
	free(line);
	return 0;
}
