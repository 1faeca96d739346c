/*
 * zip.h - a zip file whose entries are stored, not compressed: for WACZ, whose
 * readers seek inside the WARC files without unpacking.
 *
 * Entries of any size (zip64 where needed).  Each is read twice, once for its
 * checksums and once to be copied, because its header stands before it.
 */
#ifndef ARCHIVE_ZIP_H
#define ARCHIVE_ZIP_H

#include "os/file.h"
#include "warc/digest.h"

struct zip_entry {
	struct str name; /* with '/' between folders */
	uint32_t crc;
	uint64_t bytes, offset; /* of its header */
	uint8_t sha256[32];
};

struct zip_writer {
	struct file file;
	struct zip_entry *entries;
	size_t n, cap;
	struct arena names;
	struct digest sha256;
	int64_t date_ms; /* of all entries */
};

/* Created, or cut to nothing. */
must_use enum status zip_open(struct zip_writer *z, const char *path, int64_t date_ms,
			      struct diag *why);
void zip_release(struct zip_writer *z);
must_use enum status zip_add(struct zip_writer *z, struct str name, struct str bytes,
			     struct diag *why);
must_use enum status zip_add_file(struct zip_writer *z, struct str name, const char *path,
				  struct diag *why);
/* The directory at the end; synced.  Release follows. */
must_use enum status zip_end(struct zip_writer *z, struct diag *why);
#endif
