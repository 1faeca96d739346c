/* An index of fingerprints whose log holds any record, its checksum right: which method,
 * then the record. */
#include <stdio.h>
#include <stdlib.h>

#include "dup/print_index.h"
#include "os/file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static char *dir;

static void remove_dir(void)
{
	(void)!dir_remove(dir, NULL);
}

static void make_dir(void)
{
	static char memory[] = "/dev/shm/fuzz-print-index.XXXXXX",
		    disk[] = "/tmp/fuzz-print-index.XXXXXX";

	dir = mkdtemp(memory);
	if (!dir)
		dir = mkdtemp(disk);
	if (!dir)
		abort();
	(void)!atexit(remove_dir);
}

static void save_log(struct str record)
{
	static const struct segment_kind kind = { "THRPRNT1", 1, true };
	struct segment log;
	char path[128];

	snprintf(path, sizeof(path), "%s/prints.seg", dir);
	if (dir_make(dir, NULL) != ST_OK ||
	    segment_open(&log, path, &kind, 0, NULL, NULL) != ST_OK ||
	    segment_add(&log, record, NULL, NULL) != ST_OK ||
	    segment_flush(&log, NULL) != ST_OK)
		abort();
	segment_close(&log);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	cleanup(buf_release) struct buf print = { 0 };
	struct str in = { (const char *)data, size };
	const struct method *m = methods;
	struct document doc = { .text = STR("a few words that are asked for again and "
					    "again by those who want to know them") };
	struct print_index x;
	struct verdict v;
	uint8_t which;

	if (!dir)
		make_dir();
	if (!str_take_u8(&in, &which))
		return 0;
	for (unsigned i = 0; i < which % 25u; i++)
		m++;
	remove_dir();
	save_log(in);
	struct print_index_options how = {
		.dir = dir, .method = m, .threshold = m->threshold, .bands = BANDS_DEFAULT
	};
	method_fingerprint(m, &doc, NULL, &print);
	if (print_index_open(&x, &how, NULL) != ST_OK)
		return 0;
	(void)!print_index_ask(&x, buf_str(&print), &v, NULL);
	(void)!print_index_add(&x, buf_str(&print), STR("more"), NULL);
	(void)!print_index_ask(&x, buf_str(&print), &v, NULL);
	print_index_release(&x);
	return 0;
}
