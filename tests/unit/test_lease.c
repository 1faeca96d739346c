#include "hosts/lease.h"

#include "test.h"

static void who_has_the_lease_renews_it(void)
{
	struct coord *c;
	struct lease l, other;
	struct diag why;

	coord_open_local(&c, 41);
	CHECK(lease_take(&l, c, 1000, &why) == ST_OK && l.token == 42);
	CHECK(lease_holds(&l, 1000) && !lease_holds(&l, 1000 + LEASE_MS));
	CHECK(lease_renew(&l, 30000, &why) == ST_OK && l.token == 42);
	CHECK(lease_holds(&l, 1000 + LEASE_MS));
	/* Another owner is refused until it is given back. */
	uint64_t token;
	CHECK(c->ops->acquire(c, STR("crawl"), STR("else"), 30001, 10, &token) ==
	      ST_DENIED);
	lease_give_back(&l);
	CHECK(c->ops->acquire(c, STR("crawl"), STR("else"), 30001, LEASE_MS, &token) ==
	      ST_OK);
	CHECK(lease_take(&other, c, 30002, &why) == ST_DENIED);
	coord_close(&c);
}

static void a_sleeper_takes_it_again_only_if_it_is_free(void)
{
	struct coord *c;
	struct lease l;
	struct diag why;
	uint64_t token;

	coord_open_local(&c, 0);
	CHECK(lease_take(&l, c, 0, &why) == ST_OK);
	CHECK(lease_renew(&l, 2 * LEASE_MS, &why) == ST_OK && l.token == 2);
	CHECK(c->ops->acquire(c, STR("crawl"), STR("else"), 4 * LEASE_MS, LEASE_MS,
			      &token) == ST_OK);
	CHECK(lease_renew(&l, 4 * LEASE_MS + 1, &why) == ST_DENIED);
	coord_close(&c);
}

static void an_address_has_one_owner(void)
{
	struct coord *c;
	struct lease l;
	struct diag why;
	struct ip ip = { .n = 4, .bytes = { 192, 0, 2, 1 } };
	uint64_t token;

	coord_open_local(&c, 0);
	CHECK(lease_take(&l, c, 0, &why) == ST_OK);
	CHECK(lease_address(&l, &ip, 0, 100) && lease_address(&l, &ip, 50, 100));
	CHECK(c->ops->acquire(c, STR("address/192.0.2.1"), STR("else"), 149, 100,
			      &token) == ST_DENIED);
	CHECK(c->ops->acquire(c, STR("address/192.0.2.1"), STR("else"), 150, 100,
			      &token) == ST_OK);
	CHECK(!lease_address(&l, &ip, 200, 100));
	coord_close(&c);
}

int main(void)
{
	RUN(who_has_the_lease_renews_it);
	RUN(a_sleeper_takes_it_again_only_if_it_is_free);
	RUN(an_address_has_one_owner);
	DONE();
}
