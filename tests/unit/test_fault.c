#include "os/fault.h"

#include <errno.h>
#include <signal.h>
#include <sys/wait.h>

#include "os/file.h"
#include "test.h"
#include "tmp.h"

static void the_nth_call_fails_and_only_that(void)
{
	CHECK(fault_set(STR("fail-write=2:ENOSPC"), NULL) == ST_OK);
	CHECK(fault_next(FAULT_WRITE) == 0 && fault_next(FAULT_SYNC) == 0);
	CHECK(fault_next(FAULT_WRITE) == ENOSPC && fault_next(FAULT_WRITE) == 0);
	CHECK(fault_calls(FAULT_WRITE) == 3 && fault_calls(FAULT_SYNC) == 1);
}

static void a_plus_means_from_then_on(void)
{
	CHECK(fault_set(STR("fail-sync=2+,fail-rename=1:EROFS"), NULL) == ST_OK);
	CHECK(fault_next(FAULT_SYNC) == 0);
	CHECK(fault_next(FAULT_SYNC) == EIO && fault_next(FAULT_SYNC) == EIO);
	CHECK(fault_next(FAULT_RENAME) == EROFS);
	CHECK(fault_set(STR(""), NULL) == ST_OK && fault_next(FAULT_SYNC) == 0);
}

static void a_misspelt_fault_is_refused(void)
{
	struct diag why;

	CHECK(fault_set(STR("fail-read=1"), &why) == ST_SYNTAX);
	CHECK(fault_set(STR("fail-write"), &why) == ST_SYNTAX);
	CHECK(fault_set(STR("fail-write=1:EWHAT"), &why) == ST_SYNTAX);
	CHECK(fault_set(STR("kill-write=1x"), &why) == ST_SYNTAX);
}

/* The size of the file that a child leaves that writes 8 bytes under `spec`. */
static uint64_t size_left_by(const char *spec)
{
	const char *path = tmp_path("victim");
	struct file f = { 0 };
	uint64_t size = UINT64_MAX;
	int how;
	pid_t child = fork();

	if (child == 0) {
		bool ok = fault_set(str_from(spec), NULL) == ST_OK &&
			  file_open(&f, path, FILE_CREATE, NULL) == ST_OK &&
			  file_write(&f, STR("12345678"), NULL) == ST_OK &&
			  file_sync(&f, NULL) == ST_OK;
		_exit(ok);
	}
	waitpid(child, &how, 0);
	bool killed = WIFSIGNALED(how) && WTERMSIG(how) == SIGKILL;
	return killed && file_size(path, &size, NULL) == ST_OK ? size : UINT64_MAX;
}

static void kill_and_tear_die_at_the_point(void)
{
	CHECK(size_left_by("kill-write=1") == 0);
	CHECK(size_left_by("tear-write=1") == 4);
	CHECK(size_left_by("kill-sync=1") == 8);
	CHECK(size_left_by("kill-sync=2") == UINT64_MAX);
}

int main(void)
{
	RUN(the_nth_call_fails_and_only_that);
	RUN(a_plus_means_from_then_on);
	RUN(a_misspelt_fault_is_refused);
	RUN(kill_and_tear_die_at_the_point);
	DONE();
}
