#include "dup/print_index.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/rng.h"
#include "os/file.h"
#include "test.h"

static struct diag why;
static char dir[64];

static void fresh_dir(void)
{
	snprintf(dir, sizeof(dir), "/tmp/test_print_index.XXXXXX");
	if (!mkdtemp(dir))
		abort();
}

static struct print_index_options how(const struct method *m)
{
	return (struct print_index_options){
		.dir = dir, .method = m, .threshold = m->threshold, .bands = BANDS_DEFAULT
	};
}

/* A word of letters: some methods leave numbers out. */
static void add_word(struct buf *to, char first, uint64_t n)
{
	buf_add_char(to, first);
	for (int k = 0; k < 5; k++, n /= 26)
		buf_add_char(to, (char)('a' + n % 26));
	buf_add_char(to, ' ');
}

/* Text `i`: four words stand often, so that they are its keywords. */
static void print_of(const struct method *m, uint64_t i, struct buf *ret)
{
	cleanup(buf_release) struct buf text = { 0 };
	struct rng r = { i };

	for (uint64_t k = 0; k < 200; k++)
		if (k % 9)
			add_word(&text, 'w', rng_below(&r, 5000));
		else
			add_word(&text, 's', 10 * i + k / 9 % 4);
	buf_reset(ret);
	method_fingerprint(m, &(struct document){ .text = buf_str(&text) }, NULL, ret);
}

static bool takes_text(const struct method *m)
{
	return m->features.kind == FEATURE_SHINGLES ||
	       m->features.kind == FEATURE_KEYWORDS;
}

static void what_was_added_is_found_again(const struct method *m)
{
	cleanup(buf_release) struct buf print = { 0 };
	struct print_index_options o = how(m);
	struct print_index x;
	struct verdict v;
	char name[32];

	fresh_dir();
	CHECK(print_index_open(&x, &o, &why) == ST_OK);
	for (uint64_t i = 0; i < 30; i++) {
		snprintf(name, sizeof(name), "doc-%u", (unsigned)i);
		print_of(m, i, &print);
		CHECK(print_index_add(&x, buf_str(&print), str_from(name), &why) ==
		      ST_OK);
	}
	CHECK(print_index_sync(&x, &why) == ST_OK);
	print_index_release(&x);
	CHECK(print_index_open(&x, &o, &why) == ST_OK);
	CHECK(x.n == 30);
	print_of(m, 17, &print);
	CHECK(print_index_ask(&x, buf_str(&print), &v, &why) == ST_OK);
	CHECK(v.kind != VERDICT_NEW && v.representative == 17 &&
	      str_eq(v.representative_url, STR("doc-17")));
	print_of(m, 99, &print);
	CHECK(print_index_ask(&x, buf_str(&print), &v, &why) == ST_OK);
	CHECK(v.kind == VERDICT_NEW);
	print_index_release(&x);
	CHECK(dir_remove(dir, &why) == ST_OK);
}

static void every_method_that_takes_text_remembers(void)
{
	for (const struct method *m = methods; m->name; m++)
		if (takes_text(m)) {
			printf("# %s\n", m->name);
			what_was_added_is_found_again(m);
		}
}

static void other_settings_are_refused(void)
{
	struct print_index_options o = how(method_find(STR("ssm")));
	struct print_index x;

	fresh_dir();
	CHECK(print_index_open(&x, &o, &why) == ST_OK);
	print_index_release(&x);
	o.threshold = 3;
	CHECK(print_index_open(&x, &o, &why) == ST_EXISTS);
	o = how(method_find(STR("ss")));
	CHECK(print_index_open(&x, &o, &why) == ST_EXISTS);
	CHECK(dir_remove(dir, &why) == ST_OK);
}

static void what_was_spilled_need_not_be_added_again(void)
{
	cleanup(buf_release) struct buf print = { 0 };
	const struct method *m = method_find(STR("minhash"));
	struct print_index_options o = how(m);
	struct print_index x;
	struct verdict v;

	fresh_dir();
	o.memory_bytes = 1 << 16;
	CHECK(print_index_open(&x, &o, &why) == ST_OK);
	for (uint64_t i = 0; i < 300; i++) {
		print_of(m, i, &print);
		CHECK(print_index_add(&x, buf_str(&print), STR("x"), &why) == ST_OK);
	}
	CHECK(print_index_sync(&x, &why) == ST_OK);
	print_index_release(&x);
	CHECK(print_index_open(&x, &o, &why) == ST_OK);
	CHECK(postings_covered(&x.postings) > 0 && x.n == 300);
	for (uint64_t i = 0; i < 300; i += 37) {
		print_of(m, i, &print);
		CHECK(print_index_ask(&x, buf_str(&print), &v, &why) == ST_OK);
		CHECK(v.representative == i);
	}
	print_index_release(&x);
	CHECK(dir_remove(dir, &why) == ST_OK);
}

int main(void)
{
	RUN(every_method_that_takes_text_remembers);
	RUN(other_settings_are_refused);
	RUN(what_was_spilled_need_not_be_added_again);
	DONE();
}
