#include "os/map_file.h"

#include <errno.h>
#include <sys/mman.h>

#include "os/file.h"

enum status map_file_open(struct map_file *ret, const char *path, enum map_order order,
			  struct diag *why)
{
	cleanup(file_close) struct file f = { 0 };

	TRY(file_open(&f, path, FILE_READ, why));
	if (f.size == 0) { /* mmap() refuses a length of 0 */
		*ret = (struct map_file){ 0 };
		return ST_OK;
	}
	void *p = mmap(NULL, (size_t)f.size, PROT_READ, MAP_SHARED, f.fd, 0);
	if (p == MAP_FAILED)
		return errno_fail(why, errno, "cannot map", path);
	/* Advice that is not taken is no failure. */
	(void)madvise(p, (size_t)f.size,
		      order == MAP_RANDOM ? MADV_RANDOM : MADV_SEQUENTIAL);
	*ret = (struct map_file){ .bytes = { p, (size_t)f.size } };
	return ST_OK;
}

void map_file_release(struct map_file *m)
{
	if (m->bytes.p)
		munmap((void *)(uintptr_t)m->bytes.p, m->bytes.n);
	*m = (struct map_file){ 0 };
}

#define PAGE_BYTES ((uintptr_t)4096)
#define PASS_BYTES ((size_t)1 << 20) /* not worth a system call below this */

void map_file_pass_part(struct str part)
{
	uintptr_t from = ((uintptr_t)part.p + PAGE_BYTES - 1) & ~(PAGE_BYTES - 1),
		  to = ((uintptr_t)part.p + part.n) & ~(PAGE_BYTES - 1);

	if (from < to)
		(void)madvise((void *)from, to - from, MADV_DONTNEED);
}

void map_file_pass(struct map_file *m, size_t upto)
{
	upto = MIN(upto, m->bytes.n) & ~(PASS_BYTES - 1);
	if (upto <= m->passed)
		return;
	(void)madvise((void *)(uintptr_t)(m->bytes.p + m->passed), upto - m->passed,
		      MADV_DONTNEED);
	m->passed = upto;
}
