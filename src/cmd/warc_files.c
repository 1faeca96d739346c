#include "cmd/warc_files.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "os/file.h"

static bool is_warc_name(struct str name)
{
	if (str_ends(name, STR(".open")))
		name.n -= 5;
	return str_ends(name, STR(".warc")) || str_ends(name, STR(".warc.gz")) ||
	       str_ends(name, STR(".warc.zst"));
}

static enum status add_folder(struct warc_files *f, const char *dir, struct arena *a,
			      struct diag *why)
{
	cleanup(str_list_release) struct str_list names = { 0 };
	char *inner = path_join(a, dir, STR("archive"));
	size_t before = f->n;

	if (dir_exists(inner))
		dir = inner;
	TRY(dir_list(dir, STR(""), a, &names, why));
	for (size_t i = 0; i < names.n; i++)
		if (is_warc_name(names.v[i]))
			VEC_ADD(f->v, f->n, f->cap, path_join(a, dir, names.v[i]));
	if (f->n == before)
		return diag_fail(why, ST_NOT_FOUND, "%s: no WARC files here", dir);
	return ST_OK;
}

enum status warc_files_find(struct warc_files *ret, struct args *args, struct diag *why)
{
	cleanup(warc_files_release) struct warc_files f = { 0 };

	for (size_t i = 0; i < args->n; i++) {
		const char *path = path_join(&args->bytes, "", args->words[i]);

		if (dir_exists(path))
			TRY(add_folder(&f, path, &args->bytes, why));
		else if (file_exists(path))
			VEC_ADD(f.v, f.n, f.cap, path);
		else
			return diag_fail(why, ST_NOT_FOUND, "%s: no such file or folder",
					 path);
	}
	if (f.n == 0)
		return diag_fail(why, ST_SYNTAX, "which WARC files?");
	*ret = TAKE(f);
	return ST_OK;
}

void warc_files_release(struct warc_files *f)
{
	free(f->v);
	*f = (struct warc_files){ 0 };
}
