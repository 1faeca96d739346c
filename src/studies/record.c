#include "studies/record.h"

#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "os/child.h"

#define LOOK_MS       200
#define COMPLAINT_MAX 4096

/* Every change is a state, and each is explored. */
static const struct str benchmark = STR("threshold=0\ncontent-threshold=0\n"
					"method=simhash128\nmax-visits=0\nmax-depth=0\n"
					"enough=0\n");

void site_tasks_release(struct site_tasks *l)
{
	free(l->v);
	arena_release(&l->bytes);
	*l = (struct site_tasks){ 0 };
}

static bool is_name(struct str s)
{
	for (size_t i = 0; i < s.n; i++)
		if (!ascii_is_alpha(s.p[i]) && !ascii_is_digit(s.p[i]) && s.p[i] != '-')
			return false;
	return s.n > 0 && s.p[0] != '-';
}

static struct str without_comment(struct str line)
{
	/* within a line a comment needs a space before: addresses have fragments */
	for (size_t i = 0; i < line.n; i++)
		if (line.p[i] == '#' && (i == 0 || ascii_is_space(line.p[i - 1])))
			return str_trim(str_slice(line, 0, i));
	return str_trim(line);
}

static bool take_word(struct str *line, struct str *ret)
{
	size_t n = 0;

	*line = str_trim(*line);
	while (n < line->n && !ascii_is_space(line->p[n]))
		n++;
	*ret = str_slice(*line, 0, n);
	*line = str_skip(*line, n);
	return n > 0;
}

enum status site_tasks_parse(struct site_tasks *l, struct str text, struct diag *why)
{
	struct str line, word;

	for (unsigned nr = 1; str_take_line(&text, &line); nr++) {
		cleanup(buf_release) struct buf settings = { 0 };
		struct str url;

		line = without_comment(line);
		if (!take_word(&line, &url))
			continue;
		if (str_find(url, STR("://")) == STR_NONE)
			return diag_fail(why, ST_SYNTAX,
					 "sites, line %u: '" STR_FMT
					 "' is no address such as http://host/",
					 nr, STR_ARG(url));
		while (take_word(&line, &word)) {
			size_t eq = str_find_char(word, '=');

			if (eq == STR_NONE || !is_name(str_slice(word, 0, eq)))
				return diag_fail(why, ST_SYNTAX,
						 "sites, line %u: '" STR_FMT
						 "' is not name=value",
						 nr, STR_ARG(word));
			buf_add(&settings, word);
			buf_add_char(&settings, '\n');
		}
		VEC_ADD(l->v, l->n, l->cap,
			(struct site_task){ arena_copy(&l->bytes, url),
					    arena_copy(&l->bytes, buf_str(&settings)) });
	}
	return ST_OK;
}

enum status site_settings_parse(struct str text, struct buf *ret, struct diag *why)
{
	struct str line;

	for (unsigned nr = 1; str_take_line(&text, &line); nr++) {
		size_t n = 0;

		line = without_comment(line);
		if (line.n == 0)
			continue;
		while (n < line.n && line.p[n] != '=' && line.p[n] != ':' &&
		       !ascii_is_space(line.p[n]))
			n++;
		struct str name = str_slice(line, 0, n);
		struct str value = str_trim(str_skip(line, n));
		if (value.n && (value.p[0] == '=' || value.p[0] == ':'))
			value = str_trim(str_skip(value, 1));
		if (!is_name(name) || value.n == 0)
			return diag_fail(why, ST_SYNTAX,
					 "settings, line %u: not 'name value'", nr);
		buf_addf(ret, STR_FMT "=" STR_FMT "\n", STR_ARG(name), STR_ARG(value));
	}
	return ST_OK;
}

struct words {
	const char **v;
	size_t n, cap;
	struct arena bytes;
};

static void add_word(struct words *w, struct str word)
{
	char *p = arena_alloc(&w->bytes, word.n + 1);

	memcpy(p, word.p, word.n);
	p[word.n] = '\0';
	VEC_ADD(w->v, w->n, w->cap, p);
}

/* "name=yes" is a switch. */
static void add_settings(struct words *w, struct str lines)
{
	struct str line;

	while (str_take_line(&lines, &line)) {
		cleanup(buf_release) struct buf option = { 0 };
		size_t eq = str_find_char(line, '=');
		struct str value = str_skip(line, eq + 1);
		bool is_no = str_eq(value, STR("no"));

		buf_addf(&option, "--%s" STR_FMT, is_no ? "no-" : "",
			 STR_ARG(str_slice(line, 0, eq)));
		add_word(w, buf_str(&option));
		if (!is_no && !str_eq(value, STR("yes")))
			add_word(w, value);
	}
}

static void make_words(const struct record_options *o, struct words *w)
{
	add_word(w, STR("/proc/self/exe"));
	add_word(w, STR("states"));
	add_word(w, o->url);
	add_word(w, STR("--out"));
	add_word(w, str_from(o->dir));
	if (!o->plain)
		add_settings(w, benchmark);
	add_settings(w, o->common);
	add_settings(w, o->own);
	VEC_ADD(w->v, w->n, w->cap, NULL);
}

/* What it says, until it ends; only the end of it is kept. */
static enum status listen(struct child *c, int fd, const bool *stop, struct buf *said)
{
	char part[1024];
	enum status st;

	while ((st = child_wait(c, 0)) == ST_TIMEOUT) {
		struct pollfd p = { .fd = fd, .events = POLLIN };

		if (stop && *stop)
			child_kill(c, SIGTERM);
		if (poll(&p, 1, LOOK_MS) < 0)
			continue;
		ssize_t n = read(fd, part, sizeof(part));
		if (n == 0) /* closed: its end is near */
			(void)!usleep(10000);
		if (n <= 0)
			continue;
		buf_add(said, (struct str){ part, (size_t)n });
		if (said->n > COMPLAINT_MAX) {
			memmove(said->p, said->p + said->n - COMPLAINT_MAX / 2,
				COMPLAINT_MAX / 2);
			said->n = COMPLAINT_MAX / 2;
		}
	}
	for (ssize_t n; (n = read(fd, part, sizeof(part))) > 0;)
		buf_add(said, (struct str){ part, (size_t)n });
	return st;
}

/* The last line that begins as complaints do, without that; else the last one. */
static struct str complaint(struct str said)
{
	struct str line, last = { 0 }, found = { 0 };

	while (str_take_line(&said, &line)) {
		if (str_trim(line).n)
			last = str_trim(line);
		if (str_take_prefix(&line, STR("thresh states: ")))
			found = line;
	}
	return found.n ? found : last;
}

enum status record_site(const struct record_options *o, struct diag *why)
{
	struct words w = { 0 };
	cleanup(buf_release) struct buf said = { .limit = (size_t)1 << 20 };
	struct child_pipe pipe = { .child_fd = STDERR_FILENO };
	struct child_options how = { .pipes = &pipe, .pipe_count = 1, .quiet = true };
	struct child c = { 0 };
	enum status st;

	make_words(o, &w);
	st = child_start(&c, w.v, &how, why);
	free(w.v);
	arena_release(&w.bytes);
	if (st != ST_OK)
		return st;
	st = listen(&c, pipe.fd, o->stop, &said);
	int code = child_exit_code(&c);
	close(pipe.fd);
	child_release(&c);
	if (st != ST_OK)
		return st;
	struct str last = complaint(buf_str(&said));
	if (code != 0)
		return diag_fail(why, ST_CORRUPT,
				 STR_FMT ": the crawl ended with code %d: " STR_FMT,
				 STR_ARG(o->url), code, STR_ARG(last));
	return ST_OK;
}
