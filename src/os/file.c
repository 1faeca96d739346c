#include "os/file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "os/fault.h"

#define BEGIN_BYTES ((uint64_t)4 << 20)

static const struct {
	int flags;
	bool creates;
} modes[] = {
	[FILE_READ] = { O_RDONLY, false },
	[FILE_CREATE] = { O_RDWR | O_CREAT | O_TRUNC, true },
	[FILE_NEW] = { O_RDWR | O_CREAT | O_EXCL, true },
	[FILE_APPEND] = { O_RDWR | O_CREAT | O_APPEND, true },
	[FILE_UPDATE] = { O_RDWR | O_CREAT, true },
};

static enum status status_of(int error)
{
	switch (error) {
	case ENOENT:
	case ENOTDIR:
		return ST_NOT_FOUND;
	case EEXIST:
		return ST_EXISTS;
	case EACCES:
	case EPERM:
	case EROFS:
		return ST_DENIED;
	case ENOSPC:
	case EDQUOT:
		return ST_DISK_FULL;
	default:
		return ST_IO;
	}
}

enum status errno_fail(struct diag *why, int error, const char *what, const char *path)
{
	return diag_fail(why, status_of(error), "%s: %s: %s", path, what,
			 strerror(error));
}

/* Zero, or the error that a test wants here; a torn write is only for write_once(). */
static int injected(enum fault_op op)
{
	int fault = fault_next(op);

	if (fault == FAULT_TEAR)
		fault_die();
	return fault;
}

static char *copy_path(const char *path)
{
	size_t n = strlen(path) + 1;

	return memcpy(xrealloc(NULL, n, 1), path, n);
}

/* /dev/stdout and its like are links that the system has made. */
static int nofollow_for(const char *path, bool creates)
{
	return creates && strncmp(path, "/dev/", 5) != 0 ? O_NOFOLLOW : 0;
}

static enum status open_as(struct file *ret, const char *path, enum file_mode mode,
			   mode_t rights, struct diag *why)
{
	struct stat st;
	bool creates = modes[mode].creates;
	int flags = modes[mode].flags | nofollow_for(path, creates) | O_CLOEXEC;
	int error = creates ? injected(FAULT_CREATE) : 0;
	int fd = error ? -1 : open(path, flags, rights);

	if (fd < 0 && !error && errno == ELOOP && creates)
		return diag_fail(why, ST_DENIED,
				 "%s: is a symbolic link, which is not written through",
				 path);
	if (fd < 0)
		return errno_fail(why, error ? error : errno, "cannot open", path);
	if (fstat(fd, &st) < 0 || S_ISDIR(st.st_mode)) {
		error = S_ISDIR(st.st_mode) ? EISDIR : errno;
		close(fd);
		return errno_fail(why, error, "cannot open", path);
	}
	*ret = (struct file){
		.path = copy_path(path),
		.fd = fd,
		.size = (uint64_t)st.st_size,
		.begun = (uint64_t)st.st_size,
		.astray = mode == FILE_UPDATE && st.st_size > 0,
	};
	return ST_OK;
}

enum status file_open(struct file *ret, const char *path, enum file_mode mode,
		      struct diag *why)
{
	return open_as(ret, path, mode, 0666, why);
}

enum status file_open_stdout(struct file *ret, struct diag *why)
{
	int fd = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0);

	if (fd < 0)
		return errno_fail(why, errno, "cannot open", "standard output");
	*ret = (struct file){ .path = copy_path("standard output"), .fd = fd };
	return ST_OK;
}

void file_close(struct file *f)
{
	if (!f->path)
		return;
	close(f->fd);
	free(f->path);
	*f = (struct file){ 0 };
}

/* One system call.  A test may want it to fail, or to stop half way and die. */
static ssize_t write_once(int fd, const struct iovec *v, size_t n)
{
	int fault = fault_next(FAULT_WRITE);

	if (fault == FAULT_TEAR) {
		(void)!write(fd, v[0].iov_base, v[0].iov_len / 2);
		fault_die();
	}
	if (fault) {
		errno = fault;
		return -1;
	}
	return writev(fd, v, (int)MIN(n, (size_t)IOV_MAX));
}

enum status file_writev(struct file *f, struct iovec *v, size_t n, struct diag *why)
{
	if (f->astray && lseek(f->fd, (off_t)f->size, SEEK_SET) < 0)
		return errno_fail(why, errno, "cannot write", f->path);
	f->astray = false;
	while (n > 0) {
		if (v->iov_len == 0) {
			v++;
			n--;
			continue;
		}
		ssize_t done = write_once(f->fd, v, n);
		if (done < 0 && errno == EINTR)
			continue;
		if (done < 0)
			return errno_fail(why, errno, "cannot write", f->path);
		f->size += (uint64_t)done;
		for (size_t left = (size_t)done; left > 0;) {
			size_t step = MIN(left, v->iov_len);

			v->iov_base = (char *)v->iov_base + step;
			v->iov_len -= step;
			left -= step;
			if (v->iov_len == 0) {
				v++;
				n--;
			}
		}
	}
	return ST_OK;
}

/* iovec wants a pointer to non-const, although writev() only reads. */
static void *unconst(const char *p)
{
	return (void *)(uintptr_t)p;
}

enum status file_write(struct file *f, struct str bytes, struct diag *why)
{
	struct iovec v = { unconst(bytes.p), bytes.n };

	return file_writev(f, &v, 1, why);
}

enum status file_write_at(struct file *f, struct str bytes, uint64_t offset,
			  struct diag *why)
{
	int error = injected(FAULT_WRITE);

	while (!error && bytes.n > 0) {
		ssize_t done = pwrite(f->fd, bytes.p, bytes.n, (off_t)offset);

		if (done < 0 && errno != EINTR)
			error = errno;
		if (done <= 0)
			continue;
		bytes = str_skip(bytes, (size_t)done);
		offset += (uint64_t)done;
		f->astray |= offset > f->size;
		f->size = MAX(f->size, offset);
	}
	return error ? errno_fail(why, error, "cannot write", f->path) : ST_OK;
}

enum status file_read_at(const struct file *f, uint64_t offset, char *to, size_t n,
			 size_t *ret_n, struct diag *why)
{
	size_t have = 0;

	while (have < n) {
		ssize_t got = pread(f->fd, to + have, n - have, (off_t)(offset + have));

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return errno_fail(why, errno, "cannot read", f->path);
		if (got == 0)
			break;
		have += (size_t)got;
	}
	*ret_n = have;
	return ST_OK;
}

enum status file_share(const struct file *f, struct file *ret, struct diag *why)
{
	int fd = fcntl(f->fd, F_DUPFD_CLOEXEC, 0);

	if (fd < 0)
		return errno_fail(why, errno, "cannot open", f->path);
	*ret = *f;
	ret->fd = fd;
	ret->path = copy_path(f->path);
	return ST_OK;
}

void file_begin_sync(struct file *f)
{
	if (f->size < f->begun + BEGIN_BYTES)
		return;
	/* A hint: whatever it fails for, file_sync() tells. */
	(void)sync_file_range(f->fd, (off_t)f->begun, (off_t)(f->size - f->begun),
			      SYNC_FILE_RANGE_WRITE);
	f->begun = f->size;
}

enum status file_sync(struct file *f, struct diag *why)
{
	int error = injected(FAULT_SYNC);

	if (!error && fdatasync(f->fd) < 0)
		error = errno;
	return error ? errno_fail(why, error, "cannot sync", f->path) : ST_OK;
}

enum status file_truncate(struct file *f, uint64_t size, struct diag *why)
{
	int error = injected(FAULT_TRUNCATE);

	if (!error && ftruncate(f->fd, (off_t)size) < 0)
		error = errno;
	if (error)
		return errno_fail(why, error, "cannot truncate", f->path);
	f->size = size;
	f->begun = MIN(f->begun, size);
	f->astray = true;
	return ST_OK;
}

enum status file_lock(struct file *f, struct diag *why)
{
	if (flock(f->fd, LOCK_EX | LOCK_NB) == 0)
		return ST_OK;
	if (errno == EWOULDBLOCK)
		return diag_fail(why, ST_DENIED, "%s: another process is using it",
				 f->path);
	return errno_fail(why, errno, "cannot lock", f->path);
}

enum status file_load(const char *path, size_t limit, struct buf *to, struct diag *why)
{
	cleanup(file_close) struct file f = { 0 };

	TRY(file_open(&f, path, FILE_READ, why));
	if (f.size > limit)
		return diag_fail(why, ST_TOO_LARGE, "%s: larger than %zu bytes", path,
				 limit);
	/* Read until the end, not up to `size`: in /proc and pipes that is 0. */
	for (size_t have = 0;;) {
		char *room = buf_reserve(to, MAX((size_t)f.size + 1, have + 4096) - have);
		ssize_t got;

		if (!room)
			return diag_fail(why, ST_TOO_LARGE, "%s: too large", path);
		got = read(f.fd, room, to->cap - to->n);
		if (got < 0 && errno != EINTR)
			return errno_fail(why, errno, "cannot read", path);
		if (got == 0)
			return ST_OK;
		to->n += (size_t)MAX(got, 0);
		have += (size_t)MAX(got, 0);
		if (have > limit)
			return diag_fail(why, ST_TOO_LARGE, "%s: larger than %zu bytes",
					 path, limit);
	}
}

struct how {
	mode_t rights;
	bool lasting; /* survives the machine, not only us */
};

/* A new file: whatever has this name now, a link or a leftover, is not written to. */
static enum status write_whole(const char *path, struct str bytes, struct how how,
			       struct diag *why)
{
	cleanup(file_close) struct file f = { 0 };

	TRY(file_remove(path, why));
	TRY(open_as(&f, path, FILE_NEW, how.rights, why));
	TRY(file_write(&f, bytes, why));
	return how.lasting ? file_sync(&f, why) : ST_OK;
}

static enum status rename_file(const char *from, const char *to, struct diag *why)
{
	int error = injected(FAULT_RENAME);

	if (!error && rename(from, to) < 0)
		error = errno;
	return error ? errno_fail(why, error, "cannot rename", from) : ST_OK;
}

static enum status save(const char *path, struct str bytes, struct how how,
			struct diag *why)
{
	char tmp[PATH_MAX];

	if (snprintf(tmp, sizeof(tmp), "%s.tmp", path) >= (int)sizeof(tmp))
		return diag_fail(why, ST_TOO_LARGE, "the path is too long: %.100s...",
				 path);
	enum status st = write_whole(tmp, bytes, how, why);
	if (st == ST_OK)
		st = how.lasting ? file_rename(tmp, path, why)
				 : rename_file(tmp, path, why);
	if (st != ST_OK)
		unlink(tmp);
	return st;
}

enum status file_save(const char *path, struct str bytes, struct diag *why)
{
	return save(path, bytes, (struct how){ 0666, true }, why);
}

enum status file_save_private(const char *path, struct str bytes, struct diag *why)
{
	return save(path, bytes, (struct how){ 0600, true }, why);
}

enum status file_replace(const char *path, struct str bytes, struct diag *why)
{
	return save(path, bytes, (struct how){ 0666, false }, why);
}

enum status file_rename(const char *from, const char *to, struct diag *why)
{
	cleanup(arena_release) struct arena a = { 0 };

	TRY(rename_file(from, to, why));
	return dir_sync(path_dir(&a, to), why);
}

enum status file_remove(const char *path, struct diag *why)
{
	if (unlink(path) < 0 && errno != ENOENT)
		return errno_fail(why, errno, "cannot remove", path);
	return ST_OK;
}

bool file_exists(const char *path)
{
	return access(path, F_OK) == 0;
}

bool file_is_stream(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode);
}

bool file_same(const char *path, const char *other)
{
	struct stat a, b;

	return stat(path, &a) == 0 && stat(other, &b) == 0 && a.st_dev == b.st_dev &&
	       a.st_ino == b.st_ino;
}

enum status file_size(const char *path, uint64_t *ret_bytes, struct diag *why)
{
	struct stat st;

	if (stat(path, &st) < 0)
		return errno_fail(why, errno, "cannot look at", path);
	*ret_bytes = (uint64_t)st.st_size;
	return ST_OK;
}

char *path_join(struct arena *a, const char *dir, struct str name)
{
	size_t n = strlen(dir);
	char *p = arena_alloc(a, n + 1 + name.n + 1);

	memcpy(p, dir, n);
	if (n > 0 && p[n - 1] != '/')
		p[n++] = '/';
	memcpy(p + n, name.p, name.n);
	p[n + name.n] = '\0';
	return p;
}

char *path_dir(struct arena *a, const char *path)
{
	size_t slash = str_rfind_char(str_from(path), '/');
	struct str dir = slash == STR_NONE ? STR(".")
			 : slash == 0      ? STR("/")
					   : (struct str){ path, slash };
	char *p = arena_alloc(a, dir.n + 1);

	memcpy(p, dir.p, dir.n);
	p[dir.n] = '\0';
	return p;
}

enum status dir_sync(const char *path, struct diag *why)
{
	int error = injected(FAULT_SYNC);
	int fd = error ? -1 : open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (!error && fd < 0)
		error = errno;
	/* Some file systems cannot sync a folder and say EINVAL; their renames last. */
	if (!error && fsync(fd) < 0 && errno != EINVAL)
		error = errno;
	if (fd >= 0)
		close(fd);
	return error ? errno_fail(why, error, "cannot sync", path) : ST_OK;
}
