#include "base/alloc.h"
#include "cluster/message.h"
#include "cluster/nodes.h"
#include "cluster/place.h"
#include "test.h"

#define EXAMPLE_VNODE 3909u

#include <string.h>

/* --- places --- */

static void a_place_names_brokers_database_and_crawl(void)
{
	struct cluster_place p;
	struct diag why;

	CHECK(cluster_place_parse(
		      STR("kafka://a:9092/news?partitions=8&linger.ms=1,kafka://b:9092,"
			  "pg://me@db/web"),
		      &p, &why) == ST_OK);
	CHECK(str_eq(p.kafka.brokers, STR("a:9092,b:9092")));
	CHECK(str_eq(p.kafka.properties, STR("linger.ms=1")));
	CHECK(p.partitions == 8 && p.session_ms == 6000 && p.lease_ms == 30000);
	CHECK(strcmp(p.topic, "thresh.news") == 0);
	CHECK(strcmp(p.database, "postgresql://me@db/"
				 "web?connect_timeout=5&tcp_user_timeout=5000") == 0);
	cluster_place_release(&p);
}

static void what_is_missing_or_wrong_is_named(void)
{
	static const struct {
		const char *text, *word;
	} bad[] = {
		{ "", "both needed" },
		{ "kafka://a:1", "both needed" },
		{ "pg://x/y", "both needed" },
		{ "kafka:///x,pg://x/y", "HOST:PORT" },
		{ "kafka://a:1/a b,pg://x/y", "letters, digits" },
		{ "kafka://a:1/x,kafka://b:1/y,pg://x/y", "two names" },
		{ "kafka://a:1?partitions=0,pg://x/y", "1 to 1024" },
		{ "kafka://a:1?lease=1,pg://x/y", "3000 to" },
		{ "http://a,pg://x/y", "none of" },
	};

	for (size_t i = 0; i < COUNT(bad); i++) {
		struct cluster_place p;
		struct diag why = { "" };

		CHECK(cluster_place_parse(str_from(bad[i].text), &p, &why) == ST_SYNTAX);
		CHECK(strstr(why.text, bad[i].word));
	}
}

/* --- messages --- */

static void a_message_comes_back_as_it_went(void)
{
	struct message m = { MESSAGE_DONE, 0xfeedf00d12345678u, 300, STR("a\0b") }, got;
	cleanup(buf_release) struct buf b = { 0 };

	message_encode(&m, &b);
	CHECK(message_decode(buf_str(&b), &got) == ST_OK);
	CHECK(got.kind == m.kind && got.node == m.node && got.epoch == 300 &&
	      str_eq(got.record, m.record));
	for (size_t i = 0; i < 11; i++)
		CHECK(message_decode(str_slice(buf_str(&b), 0, i), &got) == ST_CORRUPT);
	b.p[0] = 2; /* of a later program */
	CHECK(message_decode(buf_str(&b), &got) == ST_UNSUPPORTED);
	b.p[0] = 1;
	b.p[1] = 9;
	CHECK(message_decode(buf_str(&b), &got) == ST_CORRUPT);
}

static void virtual_nodes_never_change_and_fill_the_partitions(void)
{
	uint32_t seen[16] = { 0 };
	char name[32];

	CHECK(cluster_vnode(STR("example.org")) == EXAMPLE_VNODE);
	for (int i = 0; i < 4000; i++) {
		snprintf(name, sizeof(name), "site%d.example", i);
		uint32_t p = cluster_partition(str_from(name), 16);

		CHECK(p < 16);
		seen[p]++;
		/* Twice as many partitions: each is cut in two. */
		CHECK(cluster_partition(str_from(name), 32) / 2 == p);
	}
	for (int p = 0; p < 16; p++)
		CHECK(seen[p] > 150);
}

/* --- the end of a crawl --- */

#define PARTS 2

static uint64_t none[PARTS], both[PARTS] = { 1, 1 }, first[PARTS] = { 1, 0 },
			     second[PARTS] = { 0, 1 };

static struct node_row row(uint64_t node, uint8_t phase, uint64_t beat)
{
	return (struct node_row){ .node = node,
				  .phase = phase,
				  .beat = beat,
				  .work = 7,
				  .sent = none,
				  .applied = none,
				  .owned = both };
}

static void the_end_is_seen_when_all_said_it_twice_more(void)
{
	static struct node_watch w;
	struct node_row r[] = { row(1, NODE_SETTLED, 10), row(2, NODE_SETTLED, 20) };
	struct node_view v = { r, 2 };

	CHECK(nodes_judge(&w, &v, PARTS) == CLUSTER_BUSY);
	r[0].beat = 12;
	CHECK(nodes_judge(&w, &v, PARTS) == CLUSTER_BUSY); /* the other has not */
	r[1].beat = 22;
	CHECK(nodes_judge(&w, &v, PARTS) == CLUSTER_OVER);
	r[1].phase = NODE_QUIET;
	CHECK(nodes_judge(&w, &v, PARTS) == CLUSTER_BUSY); /* another view */
	r[0].beat = r[1].beat = 30;
	CHECK(nodes_judge(&w, &v, PARTS) == CLUSTER_QUIET);
}

static void work_in_between_begins_the_wait_anew(void)
{
	static struct node_watch w;
	struct node_row r[] = { row(1, NODE_SETTLED, 10), row(2, NODE_SETTLED, 20) };
	struct node_view v = { r, 2 };

	CHECK(nodes_judge(&w, &v, PARTS) == CLUSTER_BUSY);
	r[0].beat = 12, r[1].beat = 22, r[1].work++;
	CHECK(nodes_judge(&w, &v, PARTS) == CLUSTER_BUSY);
	r[0].beat = 14, r[1].beat = 24;
	CHECK(nodes_judge(&w, &v, PARTS) == CLUSTER_OVER);
	r[0].phase = NODE_BUSY;
	CHECK(nodes_judge(&w, &v, PARTS) == CLUSTER_BUSY);
}

static bool ends(struct node_row *r, size_t n)
{
	static struct node_watch w;
	struct node_view v = { r, n };

	w.print = 0;
	if (nodes_judge(&w, &v, PARTS) != CLUSTER_BUSY)
		return false;
	for (size_t i = 0; i < n; i++)
		r[i].beat += 2;
	return nodes_judge(&w, &v, PARTS) == CLUSTER_OVER;
}

static void a_message_on_its_way_keeps_the_crawl_alive(void)
{
	struct node_row r[] = { row(1, NODE_SETTLED, 10), row(2, NODE_SETTLED, 20) };
	uint64_t sent[PARTS] = { 0, 5 }, four[PARTS] = { 9, 4 }, five[PARTS] = { 0, 5 };

	r[0].sent = sent;
	r[0].owned = first, r[1].owned = second;
	CHECK(!ends(r, 2));
	r[1].applied = four;
	CHECK(!ends(r, 2));
	r[1].applied = five;
	CHECK(ends(r, 2));
	/* Applied by one that does not own it any more is not applied. */
	r[1].owned = none;
	CHECK(!ends(r, 2));
	/* A dead node's messages count, its phase does not. */
	r[1].owned = second;
	r[0].age_ms = NODE_ALIVE_MS, r[0].phase = NODE_BUSY;
	CHECK(ends(r, 2));
	r[1].applied = four;
	CHECK(!ends(r, 2));
	CHECK(!ends(r, 0));
}

int main(void)
{
	RUN(a_place_names_brokers_database_and_crawl);
	RUN(what_is_missing_or_wrong_is_named);
	RUN(a_message_comes_back_as_it_went);
	RUN(virtual_nodes_never_change_and_fill_the_partitions);
	RUN(the_end_is_seen_when_all_said_it_twice_more);
	RUN(work_in_between_begins_the_wait_anew);
	RUN(a_message_on_its_way_keeps_the_crawl_alive);
	DONE();
}
