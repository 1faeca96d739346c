#include "apps/library_files.h"

#include "os/file.h"

#define COMPILED_MAX ((size_t)256 << 20)

static void add_file(struct app_library *l, const char *dir, struct str name)
{
	cleanup(arena_release) struct arena a = { 0 };
	cleanup(buf_release) struct buf text = { 0 };
	const char *path = path_join(&a, dir, name);
	struct app_problem p;

	if (file_load(path, DESCRIPTION_BYTES_MAX, &text, &p.why) == ST_OK)
		library_add(l, buf_str(&text), str_from(path));
	else
		library_add_problem(l, &p.why);
}

enum status library_load(struct app_library *l, const char *dir, bool without_shipped,
			 struct diag *why)
{
	cleanup(arena_release) struct arena a = { 0 };
	cleanup(str_list_release) struct str_list names = { 0 };
	cleanup(buf_release) struct buf compiled = { 0 };

	if (!without_shipped)
		library_add_shipped(l);
	if (dir) {
		TRY(dir_list(dir, STR(".xml"), &a, &names, why));
		for (size_t i = 0; i < names.n; i++)
			add_file(l, dir, names.v[i]);
		const char *path = path_join(&a, dir, STR(LIBRARY_COMPILED));
		if (file_exists(path))
			TRY(file_load(path, COMPILED_MAX, &compiled, why));
	}
	library_finish(l, buf_str(&compiled));
	return ST_OK;
}

enum status library_store(const struct app_library *l, const char *dir, struct diag *why)
{
	cleanup(arena_release) struct arena a = { 0 };
	cleanup(buf_release) struct buf compiled = { 0 };

	library_save(l, &compiled);
	TRY(buf_status(&compiled));
	return file_save(path_join(&a, dir, STR(LIBRARY_COMPILED)), buf_str(&compiled),
			 why);
}
