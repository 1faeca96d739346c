#include "control/score_file.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/alloc.h"
#include "base/map.h"
#include "control/demand.h"
#include "os/clock.h"
#include "os/file.h"
#include "os/queue.h"
#include "os/thread.h"

#define FILE_BYTES    ((size_t)1 << 30)
#define BATCH_LINES   4096
#define BATCHES       64
#define SCORES_MAX    ((size_t)16 << 20) /* URLs whose score is remembered */
#define URL_BYTES_MAX 8192u

/* --- lines --- */

static bool read_score(struct str s, double *ret)
{
	char text[40], *end;

	if (s.n == 0 || s.n >= sizeof(text))
		return false;
	memcpy(text, s.p, s.n);
	text[s.n] = '\0';
	*ret = strtod(text, &end);
	return *end == '\0' && *ret >= 0 && *ret <= 1;
}

static bool is_space(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

static bool parse_line(struct str line, struct score_line *ret)
{
	size_t n = line.n;
	double score;

	while (n > 0 && !is_space(line.p[n - 1]))
		n--;
	struct str url = str_trim(str_slice(line, 0, n));
	if (url.n == 0 || url.n > URL_BYTES_MAX || !read_score(str_skip(line, n), &score))
		return false;
	*ret = (struct score_line){
		.url = url,
		.priority = demand_priority(
			&(struct demand){ .has_score = true, .score = score }, 0)
	};
	return true;
}

bool score_line_next(struct str *rest, struct score_line *ret, uint64_t *malformed)
{
	struct str line;

	while (rest->n > 0) {
		str_take_line(rest, &line);
		line = str_trim(line);
		if (line.n == 0 || line.p[0] == '#')
			continue;
		if (parse_line(line, ret))
			return true;
		++*malformed;
	}
	return false;
}

/* --- the thread --- */

struct score_watch {
	char *path;
	int64_t sleep_ms;
	struct thread thread;
	struct queue batches;
	struct map known; /* hash of a URL -> 1 + priority */
	struct stat last; /* as it was when it was read */
	uint64_t malformed;
	bool stops;
};

void score_batch_free(struct score_batch *b)
{
	if (!b)
		return;
	free(b->v);
	arena_release(&b->text);
	free(b);
}

static bool has_changed(struct score_watch *w)
{
	struct stat now;

	if (stat(w->path, &now) != 0)
		return false;
	bool same = now.st_ino == w->last.st_ino && now.st_size == w->last.st_size &&
		    now.st_mtim.tv_sec == w->last.st_mtim.tv_sec &&
		    now.st_mtim.tv_nsec == w->last.st_mtim.tv_nsec;
	w->last = now;
	return !same;
}

static bool is_news(struct score_watch *w, const struct score_line *l)
{
	uint64_t hash = hash64(l->url), value = 1u + l->priority;
	uint64_t *was = map_find(&w->known, hash);

	if (was && *was == value)
		return false;
	if (!was && w->known.n >= SCORES_MAX)
		return true; /* told again with each reading */
	*map_add(&w->known, hash, NULL) = value;
	return true;
}

static bool hand_over(struct score_watch *w, struct score_batch *b)
{
	if (b->n > 0 && queue_add(&w->batches, b, QUEUE_FOREVER) == ST_OK)
		return true;
	bool was_empty = b->n == 0;
	score_batch_free(b);
	return was_empty;
}

/* A line that is half written is read again when the file has grown. */
static void read_file(struct score_watch *w)
{
	cleanup(buf_release) struct buf text = { 0 };
	struct score_batch *b = NEW(struct score_batch);
	struct score_line line;
	struct diag why;
	uint64_t malformed = 0;

	if (file_load(w->path, FILE_BYTES, &text, &why) == ST_OK) {
		struct str rest = buf_str(&text);
		size_t last = str_rfind_char(rest, '\n');

		rest = str_slice(rest, 0, last == STR_NONE ? 0 : last + 1);
		while (score_line_next(&rest, &line, &malformed)) {
			if (!is_news(w, &line))
				continue;
			line.url = arena_copy(&b->text, line.url);
			VEC_ADD(b->v, b->n, b->cap, line);
			if (b->n < BATCH_LINES)
				continue;
			if (!hand_over(w, b))
				return;
			b = NEW(struct score_batch);
		}
	}
	__atomic_store_n(&w->malformed, malformed, __ATOMIC_RELAXED);
	(void)hand_over(w, b);
}

static void run(void *arg)
{
	struct score_watch *w = arg;

	while (!__atomic_load_n(&w->stops, __ATOMIC_RELAXED)) {
		if (has_changed(w))
			read_file(w);
		for (int64_t left = w->sleep_ms;
		     left > 0 && !__atomic_load_n(&w->stops, __ATOMIC_RELAXED);
		     left -= 50)
			sleep_ms(MIN(left, 50));
	}
}

enum status score_watch_start(struct score_watch **ret, const char *path,
			      int64_t sleep_ms, struct diag *why)
{
	struct score_watch *w = NEW(struct score_watch);

	w->path = xcalloc(1, strlen(path) + 1);
	memcpy(w->path, path, strlen(path) + 1);
	w->sleep_ms = MAX(sleep_ms, 10);
	queue_init(&w->batches, BATCHES);
	enum status st = thread_start(&w->thread, "scores", run, w, why);
	if (st == ST_OK)
		*ret = w;
	else
		score_watch_stop(w);
	return st;
}

void score_watch_stop(struct score_watch *w)
{
	struct score_batch *b;

	if (!w)
		return;
	__atomic_store_n(&w->stops, true, __ATOMIC_RELAXED);
	queue_close(&w->batches);
	thread_join(&w->thread);
	while ((b = score_watch_take(w)))
		score_batch_free(b);
	queue_release(&w->batches);
	map_release(&w->known);
	free(w->path);
	free(w);
}

struct score_batch *score_watch_take(struct score_watch *w)
{
	void *b = NULL;

	return queue_take(&w->batches, 0, &b) == ST_OK ? b : NULL;
}

uint64_t score_watch_malformed(const struct score_watch *w)
{
	return __atomic_load_n(&w->malformed, __ATOMIC_RELAXED);
}
