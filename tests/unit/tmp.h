/* tmp.h - a fresh folder for a test program, gone at its end. */
#ifndef TMP_H
#define TMP_H

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static char tmp_folder[64];
static pid_t tmp_owner;

static int tmp_remove_one(const char *path, const struct stat *st, int flag,
			  struct FTW *f)
{
	(void)st, (void)flag, (void)f;
	return remove(path);
}

static void tmp_remove(void)
{
	if (getpid() == tmp_owner) /* not in a forked child that exits */
		nftw(tmp_folder, tmp_remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

/* The path of `name` in the folder; four may be in use at once. */
static const char *tmp_path(const char *name)
{
	static char paths[4][128];
	static unsigned next;

	if (!tmp_folder[0]) {
		snprintf(tmp_folder, sizeof(tmp_folder), "/tmp/thresh-test-XXXXXX");
		if (!mkdtemp(tmp_folder))
			abort();
		tmp_owner = getpid();
		atexit(tmp_remove);
	}
	char *p = paths[next++ % 4];
	snprintf(p, sizeof(paths[0]), "%s/%s", tmp_folder, name);
	return p;
}
#endif
