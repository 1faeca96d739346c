#include "method/picture_bits.h"

size_t picture_make(const struct document *doc, const struct feature_options *how,
		    struct buf *to)
{
	const struct picture_print *p = doc->picture;

	(void)how;
	buf_add_u64(to, p ? p->frequencies : 0);
	return p ? 64 : 0;
}

size_t picture_edges_make(const struct document *doc, const struct feature_options *how,
			  struct buf *to)
{
	const struct picture_print *p = doc->picture;

	(void)how;
	buf_add_u64(to, p ? p->edges : 0);
	return p ? 64 : 0;
}
