/* Against librdkafka's own mock brokers, in this process. */
#include <librdkafka/rdkafka.h>

#include <librdkafka/rdkafka_mock.h>
#include <string.h>

#include "kafka/bus.h"
#include "kafka/group.h"
#include "kafka/producer.h"
#include "port_contract.h"
#include "test.h"

#define PARTS 8

static rd_kafka_t *host;
static rd_kafka_mock_cluster_t *mock;
static struct kafka_place place;

static bool start_brokers(void)
{
	char text[200];
	rd_kafka_conf_t *conf = rd_kafka_conf_new();

	rd_kafka_conf_set_log_cb(conf, NULL);
	host = rd_kafka_new(RD_KAFKA_PRODUCER, conf, text, sizeof(text));
	mock = host ? rd_kafka_mock_cluster_new(host, 3) : NULL;
	if (!mock)
		return false;
	place.brokers = str_from(rd_kafka_mock_cluster_bootstraps(mock));
	place.properties = STR("");
	rd_kafka_mock_topic_create(mock, "bus", 4, 3);
	rd_kafka_mock_topic_create(mock, "out", PARTS, 3);
	rd_kafka_mock_topic_create(mock, "shared", PARTS, 3);
	return true;
}

static struct bus *reopen(struct bus *b)
{
	struct bus *again = NULL;

	bus_close(&b);
	return bus_open_kafka(&again, &place, "bus", 4, NULL) == ST_OK ? again : NULL;
}

static void the_bus_over_brokers_keeps_the_contract(void)
{
	struct bus *b = NULL;
	struct diag why;

	CHECK(bus_open_kafka(&b, &place, "bus", 4, &why) == ST_OK);
	CHECK(bus_contract(b, reopen));
}

static void another_number_of_partitions_is_refused(void)
{
	struct bus *b = NULL;
	struct diag why = { "" };

	CHECK(bus_open_kafka(&b, &place, "bus", 5, &why) == ST_EXISTS);
	CHECK(strstr(why.text, "4 partitions, not 5"));
	CHECK(bus_open_kafka(&b, &place, "bus", 0, &why) == ST_TOO_LARGE);
}

static void a_wrong_property_is_named(void)
{
	struct kafka_place bad = { place.brokers, STR("no.such.thing=1") };
	struct kafka_producer *p = NULL;
	struct diag why = { "" };

	CHECK(kafka_producer_open(&p, &bad, "out", PARTS, &why) == ST_SYNTAX);
	CHECK(strstr(why.text, "no.such.thing"));
	bad.properties = STR("linger.ms");
	CHECK(kafka_producer_open(&p, &bad, "out", PARTS, &why) == ST_SYNTAX);
}

/* --- order under errors --- */

static void errors_of_brokers_lose_nothing_and_keep_the_order(void)
{
	struct kafka_producer *p = NULL;
	struct bus *b = NULL;
	struct str m;
	uint64_t next;
	struct diag why;
	char text[16];

	CHECK(kafka_producer_open(&p, &place, "out", PARTS, &why) == ST_OK);
	rd_kafka_mock_push_request_errors(
		mock, 0, 4, RD_KAFKA_RESP_ERR_NOT_ENOUGH_REPLICAS,
		RD_KAFKA_RESP_ERR_NOT_LEADER_FOR_PARTITION,
		RD_KAFKA_RESP_ERR_REQUEST_TIMED_OUT,
		RD_KAFKA_RESP_ERR_NOT_ENOUGH_REPLICAS_AFTER_APPEND);
	for (int i = 0; i < 2000; i++) {
		snprintf(text, sizeof(text), "%d", i);
		CHECK(kafka_add(p, (uint32_t)i % 2, STR("k"), str_from(text), &why) ==
		      ST_OK);
	}
	CHECK(kafka_add(p, PARTS, STR(""), STR("x"), &why) == ST_NOT_FOUND);
	CHECK(kafka_flush(p, 20000, &why) == ST_OK);
	CHECK(kafka_end(p, 0) >= 1000 && kafka_end(p, 2) == 0);
	CHECK(bus_open_kafka(&b, &place, "out", PARTS, &why) == ST_OK);
	int want = 0;
	while (b->ops->next(b, 0, &m, &next, &why) == ST_OK) {
		snprintf(text, sizeof(text), "%d", want);
		/* What was acknowledged too late may stand twice. */
		if (str_eq(m, str_from(text)))
			want += 2;
	}
	CHECK(want == 2000);
	bus_close(&b);
	kafka_producer_close(&p);
}

/* --- a group --- */

struct member {
	struct kafka_group *g;
	bool owns[PARTS];
	uint64_t next[PARTS]; /* what it would keep with its store */
	int got, ends;
	bool is_leaving;
};

static uint64_t assigned(void *ctx, uint32_t partition)
{
	struct member *m = ctx;

	m->owns[partition] = true;
	return m->next[partition];
}

static void revoked(void *ctx, uint32_t partition, bool is_lost)
{
	struct member *m = ctx;

	(void)is_lost;
	m->owns[partition] = false;
	m->is_leaving = true;
}

static bool join(struct member *m)
{
	struct diag why;

	return kafka_group_open(&m->g, &place,
				&(struct kafka_group_options){ .topic = "shared",
							       .group = "own",
							       .partitions = PARTS,
							       .session_ms = 3000,
							       .assigned = assigned,
							       .revoked = revoked,
							       .ctx = m,
							       .wake_fd = -1 },
				&why) == ST_OK;
}

static int owned(const struct member *m)
{
	int n = 0;

	for (int i = 0; i < PARTS; i++)
		n += m->owns[i];
	return n;
}

static void take_messages(struct member *m)
{
	struct kafka_message msg;
	struct diag why;

	while (kafka_group_next(m->g, 10, &msg, &why) == ST_OK) {
		m->ends += msg.is_end;
		if (msg.is_end)
			continue;
		m->got += m->owns[msg.partition];
		m->next[msg.partition] = msg.offset + 1;
	}
	if (m->is_leaving) /* later is early enough */
		kafka_group_release(m->g);
	m->is_leaving = false;
}

static bool until_owned(struct member *a, struct member *b, int want_a, int want_b)
{
	for (int i = 0; i < 1000; i++) {
		take_messages(a);
		if (b)
			take_messages(b);
		if (owned(a) == want_a && (!b || owned(b) == want_b))
			return true;
	}
	return false;
}

static void members_share_the_partitions_and_read_on_where_they_were(void)
{
	static struct member a, b;
	struct kafka_producer *p = NULL;
	struct diag why;

	CHECK(kafka_producer_open(&p, &place, "shared", PARTS, &why) == ST_OK);
	for (uint32_t i = 0; i < 80; i++)
		CHECK(kafka_add(p, i % PARTS, STR(""), STR("m"), &why) == ST_OK);
	CHECK(kafka_flush(p, 20000, &why) == ST_OK);
	CHECK(join(&a));
	CHECK(until_owned(&a, NULL, PARTS, 0));
	for (int i = 0; i < 500 && a.got < 80; i++)
		take_messages(&a);
	CHECK(a.got == 80);
	for (int i = 0; i < 500 && a.ends < PARTS; i++)
		take_messages(&a);
	CHECK(a.ends == PARTS);
	/* Another one knows what the first knew: nothing is read twice. */
	memcpy(b.next, a.next, sizeof(b.next));
	CHECK(join(&b));
	CHECK(until_owned(&a, &b, PARTS / 2, PARTS / 2));
	for (int i = 0; i < PARTS; i++)
		CHECK(a.owns[i] != b.owns[i]);
	CHECK(a.got == 80 && b.got == 0);
	for (uint32_t i = 0; i < 80; i++)
		CHECK(kafka_add(p, i % PARTS, STR(""), STR("m"), &why) == ST_OK);
	CHECK(kafka_flush(p, 20000, &why) == ST_OK);
	for (int i = 0; i < 500 && a.got + b.got < 160; i++) {
		take_messages(&a);
		take_messages(&b);
	}
	CHECK(a.got == 120 && b.got == 40);
	/* One leaves: the other has everything. */
	for (int i = 0; i < PARTS; i++)
		b.next[i] = MAX(a.next[i], b.next[i]);
	kafka_group_close(&a.g);
	CHECK(until_owned(&b, NULL, PARTS, 0) && b.got == 40);
	/* A paused partition is silent, and then is not. */
	CHECK(kafka_group_pause(b.g, 3, true, &why) == ST_OK);
	CHECK(kafka_add(p, 3, STR(""), STR("m"), &why) == ST_OK);
	CHECK(kafka_flush(p, 20000, &why) == ST_OK);
	for (int i = 0; i < 20; i++)
		take_messages(&b);
	CHECK(b.got == 40);
	CHECK(kafka_group_pause(b.g, 3, false, &why) == ST_OK);
	for (int i = 0; i < 500 && b.got < 41; i++)
		take_messages(&b);
	CHECK(b.got == 41);
	kafka_group_close(&b.g);
	kafka_producer_close(&p);
}

int main(void)
{
	if (!start_brokers())
		return 1;
	RUN(the_bus_over_brokers_keeps_the_contract);
	RUN(another_number_of_partitions_is_refused);
	RUN(a_wrong_property_is_named);
	RUN(errors_of_brokers_lose_nothing_and_keep_the_order);
	RUN(members_share_the_partitions_and_read_on_where_they_were);
	rd_kafka_mock_cluster_destroy(mock);
	rd_kafka_destroy(host);
	DONE();
}
