#include "port/ports.h"

#include "os/file.h"

#define BATCH_BYTES ((size_t)64 << 20)

enum status ports_open_local(struct crawl_ports *p, const char *dir, uint64_t first_token,
			     struct diag *why)
{
	cleanup(arena_release) struct arena a = { 0 };
	char *runs = path_join(&a, dir, STR("state/sort"));

	coord_open_local(&p->coord, first_token);
	TRY(dir_remove(runs, why));
	TRY(dir_make(runs, why));
	batch_open_local(&p->batch, runs, BATCH_BYTES);
	return blob_open_local(&p->blob, dir, why);
}

void ports_close(struct crawl_ports *p)
{
	coord_close(&p->coord);
	blob_close(&p->blob);
	batch_close(&p->batch);
}
