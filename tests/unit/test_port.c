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

static uint32_t partition_of(struct bus *b, unsigned nr)
{
	char domain[32];

	snprintf(domain, sizeof(domain), "site%u.example", nr);
	return (uint32_t)bus_partition(b, str_from(domain));
}

#define EXAMPLE_PARTITION 4u

static void a_domain_always_goes_to_the_same_partition(void)
{
	struct bus *b = NULL;

	CHECK(bus_open_local(&b, below("bus2"), 7, NULL) == ST_OK);
	uint32_t before[64], seen = 0;
	for (unsigned i = 0; i < COUNT(before); i++) {
		before[i] = partition_of(b, i);
		CHECK(before[i] < 7);
		seen |= 1u << before[i];
	}
	CHECK(seen == 0x7f); /* all of them are used */
	bus_close(&b);
	CHECK(bus_open_local(&b, below("bus2"), 7, NULL) == ST_OK);
	for (unsigned i = 0; i < COUNT(before); i++) /* and so it is after a restart */
		CHECK(partition_of(b, i) == before[i]);
	/* It is on disk where a domain went: the number itself may never change. */
	CHECK(bus_partition(b, STR("example.org")) == EXAMPLE_PARTITION);
	bus_close(&b);
	CHECK(bus_open_local(&b, below("bus3"), 0, NULL) == ST_TOO_LARGE);
}

static void the_local_coordinator_keeps_the_contract(void)
{
	struct coord *c;

	coord_open_local(&c, 41);
	CHECK(coord_contract(c, NULL));
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

static void another_reader_sees_what_was_flushed_and_cannot_write(void)
{
	struct bus *b = NULL, *r = NULL;
	struct str got;
	uint64_t at, next;

	CHECK(bus_open_local(&b, below("bus4"), 2, NULL) == ST_OK);
	CHECK(bus_open_local_reader(&r, below("bus4"), 2, NULL) == ST_OK);
	CHECK(r->ops->next(r, 1, &got, &next, NULL) == ST_AGAIN);
	CHECK(b->ops->add(b, 1, STR("one"), &at, NULL) == ST_OK);
	CHECK(b->ops->sync(b, NULL) == ST_OK);
	CHECK(r->ops->next(r, 1, &got, &next, NULL) == ST_OK && str_eq(got, STR("one")));
	CHECK(r->ops->next(r, 1, &got, &next, NULL) == ST_AGAIN);
	CHECK(b->ops->add(b, 1, STR("two"), &at, NULL) == ST_OK);
	CHECK(b->ops->sync(b, NULL) == ST_OK);
	CHECK(r->ops->next(r, 1, &got, &next, NULL) == ST_OK && str_eq(got, STR("two")));
	CHECK(r->ops->seek(r, 1, at, NULL) == ST_OK);
	CHECK(r->ops->next(r, 1, &got, &next, NULL) == ST_OK && str_eq(got, STR("two")));
	CHECK(r->ops->add(r, 1, STR("no"), &at, NULL) == ST_DENIED);
	CHECK(r->ops->sync(r, NULL) == ST_DENIED);
	CHECK(r->ops->forget(r, 1, next, NULL) == ST_DENIED);
	CHECK(r->ops->next(r, 2, &got, &next, NULL) == ST_NOT_FOUND);
	bus_close(&r);
	bus_close(&b);
}

int main(void)
{
	if (!mkdtemp(dir))
		return 1;
	RUN(the_local_bus_keeps_the_contract);
	RUN(another_reader_sees_what_was_flushed_and_cannot_write);
	RUN(a_domain_always_goes_to_the_same_partition);
	RUN(the_local_coordinator_keeps_the_contract);
	RUN(the_folder_keeps_the_contract_of_blobs);
	RUN(the_local_batch_keeps_the_contract_in_little_memory_too);
	if (dir_remove(dir, NULL) != ST_OK)
		return 1;
	DONE();
}
