/* Against a real PostgreSQL of its own. */
#include "base/alloc.h"
#include "leases/leases.h"
#include "os/clock.h"
#include "port_contract.h"
#include "postgres.h"
#include "test.h"

static struct postgres server;

static bool pass(struct coord *c, int64_t ms)
{
	return leases_pass(c, ms, NULL) == ST_OK;
}

static void the_database_keeps_the_contract_of_leases(void)
{
	struct sql *db = NULL;
	struct coord *c = NULL;
	struct diag why;

	CHECK(sql_open(&db, server.place, &why) == ST_OK);
	CHECK(coord_open_sql(&c, db, STR("one"), &why) == ST_OK);
	CHECK(coord_contract(c, pass));
	/* Another crawl has other names. */
	uint64_t token;
	CHECK(coord_open_sql(&c, db, STR("two"), &why) == ST_OK);
	CHECK(c->ops->acquire(c, STR("192.0.2.1"), STR("x"), 0, 1000, &token) == ST_OK);
	CHECK(token == 1);
	coord_close(&c);
	sql_close(&db);
}

static void two_processes_never_hold_one_name(void)
{
	struct sql *db[2] = { NULL, NULL };
	struct coord *c[2];
	struct str owner[2] = { STR("a"), STR("b") };
	struct coord_claim v[2][500];
	static char names[500][32];
	struct diag why;

	for (int k = 0; k < 2; k++) {
		CHECK(sql_open(&db[k], server.place, &why) == ST_OK);
		CHECK(coord_open_sql(&c[k], db[k], STR("pair"), &why) == ST_OK);
	}
	for (int i = 0; i < 500; i++) {
		snprintf(names[i], sizeof(names[i]), "10.0.%d.%d", i / 256, i % 256);
		for (int k = 0; k < 2; k++)
			v[k][i] = (struct coord_claim){ .name = str_from(names[i]),
							.used_ms_ago = -1 };
	}
	/* Each asks for its half in its own order, and then for everything. */
	CHECK(c[0]->ops->claim(c[0], owner[0], v[0], 250, 0, 60000, &why) == ST_OK);
	CHECK(c[1]->ops->claim(c[1], owner[1], v[1], 500, 0, 60000, &why) == ST_OK);
	CHECK(c[0]->ops->claim(c[0], owner[0], v[0], 500, 0, 60000, &why) == ST_OK);
	for (int i = 0; i < 500; i++)
		CHECK((v[0][i].token > 0) == (i < 250) &&
		      (v[1][i].token > 0) == (i >= 250));
	for (int k = 0; k < 2; k++) {
		coord_close(&c[k]);
		sql_close(&db[k]);
	}
}

static void the_tokens_outlive_a_crash_of_the_server(void)
{
	struct sql *db = NULL;
	struct coord *c = NULL;
	uint64_t before, after;
	struct diag why;

	CHECK(sql_open(&db, server.place, &why) == ST_OK);
	CHECK(coord_open_sql(&c, db, STR("crash"), &why) == ST_OK);
	CHECK(c->ops->acquire(c, STR("n"), STR("a"), 0, 60000, &before) == ST_OK);
	CHECK(postgres_control(&server, "-m immediate stop"));
	/* While it is away nothing is granted, and what is held is held on our clock. */
	CHECK(c->ops->acquire(c, STR("m"), STR("a"), 0, 60000, &after) == ST_IO);
	CHECK(c->ops->holds(c, STR("n"), before, 59999));
	CHECK(postgres_control(&server, "start"));
	CHECK(c->ops->acquire(c, STR("n"), STR("b"), 0, 60000, &after) == ST_DENIED);
	CHECK(c->ops->renew(c, STR("n"), before, 1, 60000) == ST_OK);
	CHECK(pass(c, 60001));
	CHECK(c->ops->acquire(c, STR("n"), STR("b"), 2, 60000, &after) == ST_OK &&
	      after > before);
	coord_close(&c);
	sql_close(&db);
}

int main(void)
{
	if (!postgres_start(&server)) {
		printf("1..0 # SKIP no PostgreSQL here\n");
		postgres_stop(&server);
		return 0;
	}
	RUN(the_database_keeps_the_contract_of_leases);
	RUN(two_processes_never_hold_one_name);
	RUN(the_tokens_outlive_a_crash_of_the_server);
	postgres_stop(&server);
	DONE();
}
