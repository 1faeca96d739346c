#include "os/extsort.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "os/merge.h"

#define LARGE_BYTES    ((size_t)2 << 20)
#define MEMORY_DEFAULT ((size_t)64 << 20)
/* Runs merged at once: more would thrash the read-ahead for little gain. */
#define FAN_IN 128

void extsort_init(struct extsort *s, const struct extsort_options *options)
{
	size_t n = strlen(options->dir) + 1;

	*s = (struct extsort){ .options = *options };
	s->dir = memcpy(xrealloc(NULL, n, 1), options->dir, n);
	s->options.dir = s->dir;
	if (s->options.memory_bytes == 0)
		s->options.memory_bytes = MEMORY_DEFAULT;
	/* Room for one record at least, however little is granted. */
	s->options.memory_bytes =
		MAX(s->options.memory_bytes, (size_t)(4 * SORT_RECORD_BYTES));
}

static void forget_merge(struct extsort *s)
{
	if (s->merge)
		merge_release(s->merge);
	free(s->merge);
	s->merge = NULL;
}

void extsort_release(struct extsort *s)
{
	forget_merge(s);
	for (size_t i = 0; i < s->run_count; i++) {
		/* One that stays behind is overwritten by the next sort there. */
		(void)!file_remove(s->runs[i], NULL);
		free(s->runs[i]);
	}
	free(s->runs);
	free(s->bytes);
	free(s->items);
	free(s->scratch);
	free(s->dir);
	buf_release(&s->last);
	*s = (struct extsort){ 0 };
}

static void sort_memory(struct extsort *s)
{
	if (s->options.record_bytes)
		sort_records(s->bytes, s->n, s->options.record_bytes);
	else
		sort_sized(s->items, s->scratch, s->n, s->bytes);
}

static struct str in_memory(const struct extsort *s, size_t i)
{
	size_t size = s->options.record_bytes;

	return size ? (struct str){ s->bytes + i * size, size }
		    : sort_sized_str(s->bytes, s->items[i].value);
}

/* False for a record that was given out already, as far as unique_bytes goes. */
static bool is_new(struct extsort *s, struct str record)
{
	if (s->options.unique_bytes == 0)
		return true;
	struct str key = str_slice(record, 0, s->options.unique_bytes);
	if (s->has_last && str_eq(buf_str(&s->last), key))
		return false;
	buf_reset(&s->last);
	buf_add(&s->last, key);
	s->has_last = true;
	return true;
}

/* The path of the next run, which will be removed by release. */
static enum status new_run(struct extsort *s, const char **ret, struct diag *why)
{
	cleanup(buf_release) struct buf path = { 0 };

	if (s->run_count == 0)
		TRY(dir_make(s->dir, why));
	buf_addf(&path, "%s/run-%06zu", s->dir, s->run_serial++);
	const char *text = buf_cstr(&path);
	char *kept = memcpy(xrealloc(NULL, path.n + 1, 1), text, path.n + 1);
	VEC_ADD(s->runs, s->run_count, s->run_cap, kept);
	*ret = kept;
	return ST_OK;
}

static enum status spill(struct extsort *s, struct diag *why)
{
	cleanup(run_writer_release) struct run_writer w = { 0 };
	const char *path;

	sort_memory(s);
	TRY(new_run(s, &path, why));
	TRY(run_writer_open(&w, path, s->options.record_bytes, why));
	s->has_last = false;
	for (size_t i = 0; i < s->n; i++) {
		struct str record = in_memory(s, i);

		if (is_new(s, record))
			TRY(run_writer_add(&w, record, why));
	}
	TRY(run_writer_end(&w, why));
	s->n = s->used = 0;
	return ST_OK;
}

/* Each doubling stays below the budget; the index counts two pairs a record. */
static bool make_room(struct extsort *s, size_t bytes)
{
	size_t fixed = s->options.record_bytes;
	size_t index = fixed ? 0 : (s->n + 1) * 2 * sizeof(struct sort_pair);

	if (s->used + bytes + index > s->options.memory_bytes && s->n > 0)
		return false;
	if (s->used + bytes > s->cap) {
		/* Small ones double; then all at once: room that is not used takes no
		 * memory, and what is used need not move and comes in large pages. */
		s->cap = MAX(s->cap < LARGE_BYTES
				     ? MIN(2 * s->cap, s->options.memory_bytes)
				     : s->options.memory_bytes,
			     MAX(s->used + bytes, (size_t)64 << 10));
		s->bytes = xrealloc_large(s->bytes, s->cap, 1);
	}
	if (!fixed && s->n == s->item_cap) {
		s->item_cap = MAX(2 * s->item_cap, (size_t)1024);
		s->items = xrealloc(s->items, s->item_cap, sizeof(*s->items));
		s->scratch = xrealloc(s->scratch, s->item_cap, sizeof(*s->scratch));
	}
	return true;
}

enum status extsort_add(struct extsort *s, struct str record, struct diag *why)
{
	size_t fixed = s->options.record_bytes;
	size_t bytes = record.n + (fixed ? 0 : sizeof(uint32_t));

	if (fixed ? record.n != fixed : record.n > EXTSORT_RECORD_BYTES)
		return diag_fail(why, ST_TOO_LARGE, "cannot sort a record of %zu bytes",
				 record.n);
	if (!make_room(s, bytes)) {
		TRY(spill(s, why));
		(void)make_room(s, bytes);
	}
	if (!fixed) {
		uint32_t n = (uint32_t)record.n;

		s->items[s->n].value = s->used;
		memcpy(s->bytes + s->used, &n, sizeof(n));
		s->used += sizeof(n);
	}
	if (record.n)
		memcpy(s->bytes + s->used, record.p, record.n);
	s->used += record.n;
	s->n++;
	s->added++;
	return ST_OK;
}

static enum status open_merge(struct extsort *s, size_t n, struct diag *why)
{
	s->merge = NEW(struct merge);
	return merge_open(s->merge, s->runs, n, s->options.record_bytes, why);
}

/* The oldest FAN_IN runs become one, which goes to the end of the line. */
static enum status merge_some(struct extsort *s, struct diag *why)
{
	cleanup(run_writer_release) struct run_writer w = { 0 };
	const char *path;
	struct str record;
	enum status st;

	TRY(open_merge(s, FAN_IN, why));
	TRY(new_run(s, &path, why));
	TRY(run_writer_open(&w, path, s->options.record_bytes, why));
	s->has_last = false;
	while ((st = merge_next(s->merge, &record, why)) == ST_OK)
		if (is_new(s, record))
			TRY(run_writer_add(&w, record, why));
	if (st != ST_AGAIN)
		return st;
	TRY(run_writer_end(&w, why));
	forget_merge(s);
	for (size_t i = 0; i < FAN_IN; i++) {
		TRY(file_remove(s->runs[i], why));
		free(s->runs[i]);
	}
	s->run_count -= FAN_IN;
	memmove(s->runs, s->runs + FAN_IN, s->run_count * sizeof(*s->runs));
	return ST_OK;
}

enum status extsort_sort(struct extsort *s, struct diag *why)
{
	if (s->run_count == 0) {
		if (s->options.drop_single)
			s->n = records_drop_single(s->bytes, s->n,
						   s->options.record_bytes);
		sort_memory(s);
	} else {
		if (s->n > 0)
			TRY(spill(s, why));
		free(s->bytes);
		free(s->items);
		free(s->scratch);
		s->bytes = NULL;
		s->items = s->scratch = NULL;
		s->cap = s->item_cap = 0;
		while (s->run_count > FAN_IN)
			TRY(merge_some(s, why));
		TRY(open_merge(s, s->run_count, why));
	}
	s->has_last = false;
	return ST_OK;
}

static enum status next_any(struct extsort *s, struct str *ret, struct diag *why)
{
	if (s->merge)
		return merge_next(s->merge, ret, why);
	if (s->at == s->n)
		return ST_AGAIN;
	*ret = in_memory(s, s->at++);
	return ST_OK;
}

enum status extsort_next(struct extsort *s, struct str *ret, struct diag *why)
{
	struct str record;

	do
		TRY(next_any(s, &record, why));
	while (!is_new(s, record));
	*ret = record;
	return ST_OK;
}
