/*
 * access_log.h - the server's own record of every request, by which politeness is judged.
 *
 * A text file, one line a request, fields between tabs, written in large pieces:
 *
 *   start_us end_us client address host status bytes retry_ms https method target
 *
 * Times are microseconds of the wall clock at the start plus the monotonic
 * clock since; `status` is 0 when the answer was broken on purpose; `end_us` is when the
 * last byte was handed to the kernel or the connection was given up.  `retry_ms` is what
 * the answer asked the client to wait, -1 for nothing.  A first line "#testweb-log 1"
 * names the format.
 */
#ifndef TESTWEB_ACCESS_LOG_H
#define TESTWEB_ACCESS_LOG_H

#include "os/file.h"

struct access {
	int64_t start_us, end_us;
	uint32_t client_port, address; /* the server's address, host order */
	struct str host;
	unsigned status; /* 0: no whole answer was sent */
	uint64_t bytes;
	int32_t retry_ms;
	bool https;
	struct str method, target;
};

struct access_log {
	struct file file;
	struct buf pending;
};

must_use enum status access_log_open(struct access_log *l, const char *path,
				     struct diag *why);
/* Lines of one client may not be in the order of `start_us`. */
void access_log_add(struct access_log *l, const struct access *a);
/* What is pending goes to the file. */
must_use enum status access_log_flush(struct access_log *l, struct diag *why);
void access_log_close(struct access_log *l);

/* Read a line; ST_SYNTAX when it is none.  Strings point into `line`. */
must_use enum status access_parse(struct str line, struct access *ret);
#define ACCESS_LOG_MAGIC "#testweb-log 1"
#endif
