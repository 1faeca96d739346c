#include "os/limits.h"

#include <sys/resource.h>

#include "base/base.h"

#define FILES_USUAL 1024   /* when the system does not say */
#define FILES_MOST  524288 /* some say "no limit"; tables are made by this number */

void limits_raise_files(void)
{
	struct rlimit r;

	if (getrlimit(RLIMIT_NOFILE, &r) != 0)
		return;
	rlim_t most = MIN(r.rlim_max, (rlim_t)FILES_MOST);
	if (r.rlim_cur >= most)
		return;
	r.rlim_cur = most;
	/* It stays as it was where even this is refused. */
	(void)setrlimit(RLIMIT_NOFILE, &r);
}

size_t limits_files(void)
{
	struct rlimit r;

	if (getrlimit(RLIMIT_NOFILE, &r) != 0 || r.rlim_cur == 0)
		return FILES_USUAL;
	return (size_t)MIN(r.rlim_cur, (rlim_t)FILES_MOST);
}
