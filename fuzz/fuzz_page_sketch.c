#include "sketch/page_sketch.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The two kernels make the same of every text. */
static void compare_kernels(struct str text)
{
	struct text_sketch a, b;

	if (!text_sketch_has_avx2())
		return;
	text_sketch_scalar(text, PAGE_SHINGLE_WORDS, &a, NULL);
	text_sketch_avx2(text, PAGE_SHINGLE_WORDS, &b, NULL);
	if (!u128_eq(a.digest, b.digest) || a.simhash != b.simhash ||
	    oph_equal(a.slots, b.slots) != OPH_SLOTS || a.n_words != b.n_words)
		__builtin_trap();
}

/* As a stored sketch, and as a text: what is made must read back. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct page_sketch s = { 0 }, again = { 0 };
	struct str all = { (const char *)data, size };
	struct buf bytes = { 0 };

	if (page_sketch_decode(all, &s) == ST_OK)
		page_sketch_overlap(&s, &s);
	compare_kernels(all);
	page_sketch_make(all, &s);
	page_sketch_encode(&s, &bytes);
	if (page_sketch_decode(buf_str(&bytes), &again) != ST_OK)
		__builtin_trap();
	buf_release(&bytes);
	page_sketch_release(&s);
	page_sketch_release(&again);
	return 0;
}
