#include "port/batch.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "os/extsort.h"

struct local_batch {
	struct batch base; /* must stay first */
	char *dir;
	size_t memory_bytes;
};

/* Sorted lines with one line of look-ahead, cut into groups of equal keys. */
struct batch_values {
	struct extsort *sort;
	struct buf line; /* the line looked at: key, NUL, value */
	struct buf key, value;
	bool has_line;
	enum status st;
	struct diag *why;
};

/*
 * Key and value are joined by a NUL, not a tab: NUL is the least byte, so the
 * order of the joined lines is the order of the keys, and then of the values.
 */
static enum status add_pair(void *ctx, struct str key, struct str value, struct diag *why)
{
	struct extsort *sort = ctx;
	cleanup(buf_release) struct buf line = { 0 };

	if (str_find_char(key, '\t') != STR_NONE ||
	    str_find_char(key, '\n') != STR_NONE ||
	    str_find_char(key, '\0') != STR_NONE ||
	    str_find_char(value, '\n') != STR_NONE)
		return diag_fail(why, ST_SYNTAX,
				 "batch: a tab or newline in a key or value");
	buf_add(&line, key);
	buf_add_char(&line, '\0');
	buf_add(&line, value);
	return extsort_add(sort, buf_str(&line), why);
}

static void look_ahead(struct batch_values *v)
{
	struct str line;

	v->st = extsort_next(v->sort, &line, v->why);
	v->has_line = v->st == ST_OK;
	buf_reset(&v->line);
	if (v->has_line)
		buf_add(&v->line, line);
}

static struct str key_of_line(const struct batch_values *v)
{
	return str_slice(buf_str(&v->line), 0, str_find_char(buf_str(&v->line), '\0'));
}

bool batch_next_value(struct batch_values *v, struct str *ret)
{
	if (!v->has_line || !str_eq(key_of_line(v), buf_str(&v->key)))
		return false;
	buf_reset(&v->value);
	buf_add(&v->value, str_skip(buf_str(&v->line), v->key.n + 1));
	*ret = buf_str(&v->value);
	look_ahead(v);
	return true;
}

static void batch_values_release(struct batch_values *v)
{
	buf_release(&v->line);
	buf_release(&v->key);
	buf_release(&v->value);
}

static enum status reduce_all(struct extsort *sort, const struct batch_job *job,
			      struct batch_emit output, struct diag *why)
{
	cleanup(batch_values_release) struct batch_values v = { .sort = sort,
								.why = why };
	struct str ignored;

	look_ahead(&v);
	while (v.has_line) {
		buf_reset(&v.key);
		buf_add(&v.key, key_of_line(&v));
		TRY(job->reduce(job->ctx, buf_str(&v.key), &v, output, why));
		while (batch_next_value(&v, &ignored))
			; /* what the reducer did not want */
	}
	return v.st == ST_AGAIN ? ST_OK : v.st;
}

static enum status local_run(struct batch *base, const struct batch_job *job,
			     batch_input_fn *input, void *input_ctx,
			     struct batch_emit output, struct diag *why)
{
	struct local_batch *b = (struct local_batch *)base;
	cleanup(extsort_release) struct extsort sort = { 0 };
	struct str line;
	enum status st;

	extsort_init(&sort, &(struct extsort_options){ .dir = b->dir,
						       .memory_bytes = b->memory_bytes });
	while ((st = input(input_ctx, &line, why)) == ST_OK)
		TRY(job->map(job->ctx, line, (struct batch_emit){ add_pair, &sort },
			     why));
	if (st != ST_AGAIN)
		return st;
	TRY(extsort_sort(&sort, why));
	return reduce_all(&sort, job, output, why);
}

static void local_close(struct batch *base)
{
	free(((struct local_batch *)base)->dir);
	free(base);
}

static const struct batch_ops local_ops = { local_run, local_close };

void batch_open_local(struct batch **ret, const char *dir, size_t memory_bytes)
{
	struct local_batch *b = NEW(struct local_batch);

	b->base.ops = &local_ops;
	b->memory_bytes = memory_bytes;
	b->dir = xcalloc(strlen(dir) + 1, 1);
	memcpy(b->dir, dir, strlen(dir));
	*ret = &b->base;
}
