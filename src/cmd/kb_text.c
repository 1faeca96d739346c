#include <stdio.h>

#include "cmd/args.h"
#include "cmd/kb_shared.h"
#include "os/file.h"

#define QUERY_BYTES_MAX ((size_t)64 << 20)

enum status kb_get_text(const struct args *args, size_t at, struct str file,
			struct buf *to, struct diag *why)
{
	char portion[65536];
	size_t n;

	if (file.n == 0) {
		if (at >= args->n)
			return diag_fail(why, ST_SYNTAX, "want a query, or --file");
		buf_add(to, args->words[at]);
		return ST_OK;
	}
	if (!str_eq(file, STR("-"))) {
		cleanup(buf_release) struct buf path = { 0 };

		buf_add(&path, file);
		return file_load(buf_cstr(&path), QUERY_BYTES_MAX, to, why);
	}
	to->limit = QUERY_BYTES_MAX;
	while ((n = fread(portion, 1, sizeof(portion), stdin)) > 0)
		buf_add(to, (struct str){ portion, n });
	return to->overflow ? diag_fail(why, ST_TOO_LARGE, "the query is too long")
			    : ST_OK;
}
