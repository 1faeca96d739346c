/*
 * repack.h - the records of a WARC file in another compression, each a member of its own.
 *
 * Headers and blocks stay byte by byte; only what stands between records becomes what the
 * standard wants.  For readers that know gzip alone, as players of WACZ files do.
 */
#ifndef WARC_REPACK_H
#define WARC_REPACK_H

#include "os/file.h"
#include "warc/member.h"

/* `to` is created.  ST_CORRUPT at the first damage: the records before it are there. */
must_use enum status warc_repack(const char *from, const char *to,
				 enum member_format format, struct diag *why);
#endif
