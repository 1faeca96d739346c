/*
 * postgres.h - a real PostgreSQL of the test's own, in a folder of the test, reached by a
 * socket there.  Without the server's programs the test says so and passes nothing.
 */
#ifndef POSTGRES_H
#define POSTGRES_H

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct postgres {
	char dir[128], bin[256], place[256];
	bool running;
};

/* The server refuses to run as root. */
static inline const char *postgres_user(void)
{
	return getuid() == 0 ? "setpriv --reuid=postgres --regid=postgres --clear-groups "
			     : "";
}

static inline bool postgres_command(const struct postgres *p, const char *command)
{
	char text[1024];

	snprintf(text, sizeof(text), "cd %s && %s%s/%s > %s/out 2>&1", p->dir,
		 postgres_user(), p->bin, command, p->dir);
	return system(text) == 0;
}

static inline bool postgres_control(struct postgres *p, const char *what)
{
	char text[512];

	snprintf(text, sizeof(text),
		 "pg_ctl -D %s/data -w -l %s/log -o \"-k %s -h '' -c fsync=off -c "
		 "shared_buffers=16MB\" %s",
		 p->dir, p->dir, p->dir, what);
	return postgres_command(p, text);
}

static inline bool postgres_start(struct postgres *p)
{
	char text[512];
	glob_t found;

	if (glob("/usr/lib/postgresql/*/bin", 0, NULL, &found) != 0)
		return false;
	snprintf(p->bin, sizeof(p->bin), "%s", found.gl_pathv[found.gl_pathc - 1]);
	globfree(&found);
	snprintf(p->dir, sizeof(p->dir), "/tmp/thresh-test-pg.XXXXXX");
	if (!mkdtemp(p->dir))
		return false;
	snprintf(text, sizeof(text), "%s chown postgres %s; chmod 777 %s",
		 getuid() == 0 ? "" : "#", p->dir, p->dir);
	(void)!system(text);
	snprintf(text, sizeof(text),
		 "initdb -D %s/data -A trust -U me --no-sync -E UTF8 --locale=C", p->dir);
	snprintf(p->place, sizeof(p->place), "host=%s user=me dbname=postgres", p->dir);
	p->running = postgres_command(p, text) && postgres_control(p, "start");
	return p->running;
}

static inline void postgres_stop(struct postgres *p)
{
	char text[256];

	if (p->running)
		(void)!postgres_control(p, "-m immediate stop");
	p->running = false;
	snprintf(text, sizeof(text), "rm -rf %s", p->dir);
	if (p->dir[0])
		(void)!system(text);
}
#endif
