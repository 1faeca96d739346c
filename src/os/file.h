/*
 * file.h - files and folders; the one place that changes the disk.
 *
 * Every write, sync, rename, truncation and creation of the program passes
 * through here, because fault.h hooks in here.  A failure names the path and
 * the cause.  A full disk is ST_DISK_FULL, so that a crawl can stop and say so.
 * A struct file is owned by one thread; zeroed it is a closed file.
 */
#ifndef OS_FILE_H
#define OS_FILE_H

#include <sys/uio.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/option.h"

struct file {
	char *path; /* NULL when closed */
	int fd;
	uint64_t size;  /* as far as this handle knows: at opening, plus its own writes */
	uint64_t begun; /* so far the disk was told to begin */
	bool astray;    /* the kernel's offset is not at the end */
};

/*
 * What creates a file follows no symbolic link to it: somebody may have planted one where
 * we write.  Folders on the way may be links, and so may names below /dev.
 */
enum file_mode {
	FILE_READ,
	FILE_CREATE, /* for writing; what was there is cut to nothing */
	FILE_NEW,    /* for writing; ST_EXISTS when there is one already */
	FILE_APPEND, /* for reading and writing at the end; created when missing */
	FILE_UPDATE, /* for reading and writing anywhere; created when missing */
};

must_use enum status file_open(struct file *ret, const char *path, enum file_mode mode,
			       struct diag *why);
/* What the program writes to its standard output; closing it leaves that open. */
must_use enum status file_open_stdout(struct file *ret, struct diag *why);
/* Harmless on a closed file.  Says nothing of the disk: file_sync() does. */
void file_close(struct file *f);

/* All of it, at the end.  After a failure `size` may be off: truncate or close. */
must_use enum status file_write(struct file *f, struct str bytes, struct diag *why);
/* The same for pieces, in one system call where the kernel agrees; eats `v`. */
must_use enum status file_writev(struct file *f, struct iovec *v, size_t n,
				 struct diag *why);
must_use enum status file_write_at(struct file *f, struct str bytes, uint64_t offset,
				   struct diag *why);
/* As many of `n` bytes as there are; `*ret_n` is less only at the end of the file. */
must_use enum status file_read_at(const struct file *f, uint64_t offset, char *to,
				  size_t n, size_t *ret_n, struct diag *why);
/*
 * Another handle of the same open file, for another thread to sync.
 */
must_use enum status file_share(const struct file *f, struct file *ret, struct diag *why);
/* Let the disk begin with what was written, if that is much: file_sync() waits less. */
void file_begin_sync(struct file *f);
/* On disk when it returns. */
must_use enum status file_sync(struct file *f, struct diag *why);
must_use enum status file_truncate(struct file *f, uint64_t size, struct diag *why);
/* Ours alone until closed; ST_DENIED when another process has it. */
must_use enum status file_lock(struct file *f, struct diag *why);

/* The whole file, added to `to`; ST_TOO_LARGE above `limit`. */
must_use enum status file_load(const char *path, size_t limit, struct buf *to,
			       struct diag *why);
/*
 * Replace the file by `bytes` at once: whoever opens `path`, even after a crash,
 * sees the old or the new bytes, whole.  Goes through `path`.tmp, which is made anew.
 */
must_use enum status file_save(const char *path, struct str bytes, struct diag *why);
/* The same for secrets: nobody but the owner can read it (mode 0600). */
must_use enum status file_save_private(const char *path, struct str bytes,
				       struct diag *why);
/* The same for what can be made again: survives our death, not always the machine's. */
must_use enum status file_replace(const char *path, struct str bytes, struct diag *why);
/* Rename and make the rename last; both in the same folder. */
must_use enum status file_rename(const char *from, const char *to, struct diag *why);
/* ST_OK also when it was not there. */
must_use enum status file_remove(const char *path, struct diag *why);
bool file_exists(const char *path);
/* A pipe, a socket or a device: what it says can be read only once. */
bool file_is_stream(const char *path);
/* Two names of one file or folder; false when one of them names none. */
bool file_same(const char *path, const char *other);
must_use enum status file_size(const char *path, uint64_t *ret_bytes, struct diag *why);

/* With all its parents; ST_OK when it is there. */
must_use enum status dir_make(const char *path, struct diag *why);
bool dir_exists(const char *path);
must_use enum status dir_sync(const char *path, struct diag *why);
/* The names in a folder that end in `suffix`, sorted; text in `a`, list freed by caller.
 */
must_use enum status dir_list(const char *path, struct str suffix, struct arena *a,
			      struct str_list *ret, struct diag *why);
/* A folder and all that is in it; ST_OK when it was not there.  Follows no links. */
must_use enum status dir_remove(const char *path, struct diag *why);
/* What an ordinary user may still write on the disk of `path`. */
must_use enum status disk_free(const char *path, uint64_t *ret_bytes, struct diag *why);

/* "dir/name" as a C string in `a`. */
char *path_join(struct arena *a, const char *dir, struct str name);
/* The folder part: "." when there is none. */
char *path_dir(struct arena *a, const char *path);

/* The status for an errno, with "path: what: why" in `why`. */
must_use enum status errno_fail(struct diag *why, int error, const char *what,
				const char *path);
#endif
