#include "port/blob.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/alloc.h"
#include "os/file.h"

#define NAME_MAX_BYTES 512
#define DEPTH_MAX      16

struct local_blob {
	struct blob base; /* must stay first */
	char *dir;
};

bool blob_name_is_safe(struct str name)
{
	struct str rest = name, part;

	if (name.n == 0 || name.n > NAME_MAX_BYTES || name.p[0] == '/' ||
	    name.p[name.n - 1] == '/')
		return false;
	for (size_t i = 0; i < name.n; i++)
		if (!ascii_is_alpha(name.p[i]) && !ascii_is_digit(name.p[i]) &&
		    !strchr(".-_/~", name.p[i]))
			return false;
	while (str_take_until(&rest, '/', &part))
		if (part.n == 0 || part.p[0] == '.')
			return false; /* no "..", and no hidden files */
	return true;
}

static enum status path_of(const struct blob *b, struct str name, struct arena *a,
			   char **ret, struct diag *why)
{
	if (!blob_name_is_safe(name))
		return diag_fail(why, ST_DENIED, "not a name for a blob: '" STR_FMT "'",
				 (int)MIN(name.n, 80), name.p);
	*ret = path_join(a, ((const struct local_blob *)b)->dir, name);
	return ST_OK;
}

static enum status local_put(struct blob *b, struct str name, struct str bytes,
			     struct diag *why)
{
	cleanup(arena_release) struct arena a = { 0 };
	char *path;

	TRY(path_of(b, name, &a, &path, why));
	TRY(dir_make(path_dir(&a, path), why));
	return file_save(path, bytes, why);
}

static enum status local_put_file(struct blob *b, struct str name, const char *from,
				  struct diag *why)
{
	cleanup(arena_release) struct arena a = { 0 };
	struct file f = { 0 };
	char *path;

	TRY(path_of(b, name, &a, &path, why));
	TRY(dir_make(path_dir(&a, path), why));
	TRY(file_open(&f, from, FILE_UPDATE, why));
	enum status st = file_sync(&f, why);
	file_close(&f);
	TRY(st);
	TRY(file_rename(from, path, why));
	/* A rename lasts when both folders are written. */
	return dir_sync(path_dir(&a, path), why);
}

static enum status local_get(struct blob *b, struct str name, struct buf *to,
			     struct diag *why)
{
	cleanup(arena_release) struct arena a = { 0 };
	char *path;

	TRY(path_of(b, name, &a, &path, why));
	return file_load(path, to->limit ? to->limit : BUF_LIMIT_DEFAULT, to, why);
}

/* All files below `dir`, named from the root of the store. */
static void walk(const char *dir, struct str at, unsigned depth, struct arena *a,
		 struct str_list *ret)
{
	DIR *d = opendir(dir);
	struct dirent *e;

	while (d && (e = readdir(d))) {
		struct str own = str_from(e->d_name);
		char *path = path_join(a, dir, own);
		struct stat st;

		if (own.p[0] == '.' || str_ends(own, STR(".tmp")) ||
		    lstat(path, &st) != 0)
			continue;
		cleanup(buf_release) struct buf full = { 0 };
		buf_add(&full, at);
		buf_add(&full, at.n ? STR("/") : STR(""));
		buf_add(&full, own);
		struct str kept = arena_copy(a, buf_str(&full));
		if (S_ISDIR(st.st_mode) && depth < DEPTH_MAX)
			walk(path, kept, depth + 1, a, ret);
		else if (S_ISREG(st.st_mode))
			VEC_ADD(ret->v, ret->n, ret->cap, kept);
	}
	if (d)
		closedir(d);
}

static int by_name(const void *a, const void *b)
{
	return str_cmp(*(const struct str *)a, *(const struct str *)b);
}

static enum status local_list(struct blob *b, struct str prefix, struct arena *a,
			      struct str_list *ret, struct diag *why)
{
	struct str_list all = { 0 };

	(void)why;
	walk(((struct local_blob *)b)->dir, STR(""), 0, a, &all);
	for (size_t i = 0; i < all.n; i++)
		if (str_starts(all.v[i], prefix))
			VEC_ADD(ret->v, ret->n, ret->cap, all.v[i]);
	free(all.v);
	if (ret->n)
		qsort(ret->v, ret->n, sizeof(*ret->v), by_name);
	return ST_OK;
}

static enum status local_remove(struct blob *b, struct str name, struct diag *why)
{
	cleanup(arena_release) struct arena a = { 0 };
	char *path;

	TRY(path_of(b, name, &a, &path, why));
	return file_remove(path, why);
}

static void local_close(struct blob *b)
{
	free(((struct local_blob *)b)->dir);
	free(b);
}

static const struct blob_ops local_ops = {
	local_put, local_put_file, local_get, local_list, local_remove, local_close,
};

enum status blob_open_local(struct blob **ret, const char *dir, struct diag *why)
{
	TRY(dir_make(dir, why));
	struct local_blob *b = NEW(struct local_blob);

	b->base.ops = &local_ops;
	b->dir = xcalloc(strlen(dir) + 1, 1);
	memcpy(b->dir, dir, strlen(dir));
	*ret = &b->base;
	return ST_OK;
}
