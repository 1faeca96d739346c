#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/alloc.h"
#include "os/file.h"

bool dir_exists(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

enum status dir_make(const char *path, struct diag *why)
{
	char part[PATH_MAX];
	size_t n = strlen(path);

	if (n >= sizeof(part))
		return diag_fail(why, ST_TOO_LARGE, "the path is too long: %.100s...",
				 path);
	for (size_t i = 1; i <= n; i++) {
		if (path[i] != '/' && path[i] != '\0')
			continue;
		memcpy(part, path, i);
		part[i] = '\0';
		if (mkdir(part, 0777) < 0 && errno != EEXIST)
			return errno_fail(why, errno, "cannot make the folder", part);
	}
	return dir_exists(path) ? ST_OK
				: errno_fail(why, EEXIST, "cannot make the folder", path);
}

static int by_name(const void *a, const void *b)
{
	const struct str *x = a, *y = b;

	return str_cmp(*x, *y);
}

enum status dir_list(const char *path, struct str suffix, struct arena *a,
		     struct str_list *ret, struct diag *why)
{
	struct str_list list = { 0 };
	DIR *d = opendir(path);

	if (!d)
		return errno_fail(why, errno, "cannot read the folder", path);
	for (struct dirent *e; (e = readdir(d)) != NULL;) {
		struct str name = str_from(e->d_name);

		if (str_eq(name, STR(".")) || str_eq(name, STR("..")) ||
		    !str_ends(name, suffix))
			continue;
		name = (struct str){ path_join(a, "", name), name.n };
		VEC_ADD(list.v, list.n, list.cap, name);
	}
	closedir(d);
	if (list.n > 1)
		qsort(list.v, list.n, sizeof(*list.v), by_name);
	*ret = list;
	return ST_OK;
}

enum status dir_remove(const char *path, struct diag *why)
{
	cleanup(arena_release) struct arena a = { 0 };
	cleanup(str_list_release) struct str_list names = { 0 };
	struct stat st;

	if (lstat(path, &st) < 0)
		return errno == ENOENT ? ST_OK
				       : errno_fail(why, errno, "cannot look at", path);
	if (!S_ISDIR(st.st_mode))
		return file_remove(path, why);
	TRY(dir_list(path, STR(""), &a, &names, why));
	for (size_t i = 0; i < names.n; i++)
		TRY(dir_remove(path_join(&a, path, names.v[i]), why));
	return rmdir(path) == 0 ? ST_OK : errno_fail(why, errno, "cannot remove", path);
}

enum status disk_free(const char *path, uint64_t *ret_bytes, struct diag *why)
{
	struct statvfs v;

	if (statvfs(path, &v) < 0)
		return errno_fail(why, errno, "cannot look at the disk of", path);
	*ret_bytes = (uint64_t)v.f_bavail * v.f_frsize;
	return ST_OK;
}
