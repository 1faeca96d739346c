#include <string.h>

#include "os/file.h"
#include "port_contract.h"
#include "test.h"

static char dir[] = "/tmp/thresh-test-port.XXXXXX";
static char path[256];

static const char *below(const char *name)
{
	snprintf(path, sizeof(path), "%s/%s", dir, name);
	return path;
}

static struct bus *reopen(struct bus *b)
{
	struct bus *again = NULL;

	bus_close(&b);
	return bus_open_local(&again, below("bus"), 4, NULL) == ST_OK ? again : NULL;
}

static void the_local_bus_keeps_the_contract(void)
{
	struct bus *b = NULL;

	CHECK(bus_open_local(&b, below("bus"), 4, NULL) == ST_OK);
	CHECK(bus_contract(b, reopen));
}

static void a_domain_always_goes_to_the_same_partition(void)
{
	struct bus *b = NULL;

	CHECK(bus_open_local(&b, below("bus2"), 7, NULL) == ST_OK);
	CHECK(bus_partition(b, STR("example.org")) ==
	      bus_partition(b, STR("example.org")));
	CHECK(bus_partition(b, STR("example.org")) < 7);
	bus_close(&b);
	CHECK(bus_open_local(&b, below("bus3"), 0, NULL) == ST_TOO_LARGE);
}

static void the_local_coordinator_keeps_the_contract(void)
{
	struct coord *c;

	coord_open_local(&c, 41);
	CHECK(coord_contract(c));
}

static void the_folder_keeps_the_contract_of_blobs(void)
{
	struct blob *b = NULL;
	char scratch[256];

	CHECK(blob_open_local(&b, below("blobs"), NULL) == ST_OK);
	snprintf(scratch, sizeof(scratch), "%s/finished", dir);
	CHECK(blob_contract(b, scratch));
}

static void the_local_batch_keeps_the_contract_in_little_memory_too(void)
{
	struct batch *b;

	batch_open_local(&b, below("sort"), 0);
	CHECK(batch_contract(b));
	batch_open_local(&b, below("sort"), 64 * 1024); /* spills */
	CHECK(batch_contract(b));
}

int main(void)
{
	if (!mkdtemp(dir))
		return 1;
	RUN(the_local_bus_keeps_the_contract);
	RUN(a_domain_always_goes_to_the_same_partition);
	RUN(the_local_coordinator_keeps_the_contract);
	RUN(the_folder_keeps_the_contract_of_blobs);
	RUN(the_local_batch_keeps_the_contract_in_little_memory_too);
	if (dir_remove(dir, NULL) != ST_OK)
		return 1;
	DONE();
}
