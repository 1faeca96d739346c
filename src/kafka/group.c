#include "kafka/group.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

/* Before it the incremental protocol aborts the process when a member is lost. */
#define COOPERATIVE_SINCE 0x02060100

struct kafka_group {
	rd_kafka_t *k;
	rd_kafka_queue_t *queue;
	struct kafka_group_options options;
	char *topic;
	rd_kafka_message_t *held;                 /* lent to the caller */
	rd_kafka_topic_partition_list_t *leaving; /* revoked, not released */
	bool closing;
};

static void take(struct kafka_group *g, rd_kafka_topic_partition_list_t *v)
{
	for (int i = 0; i < v->cnt; i++)
		v->elems[i].offset = (int64_t)g->options.assigned(
			g->options.ctx, (uint32_t)v->elems[i].partition);
}

static void give_up(struct kafka_group *g, const rd_kafka_topic_partition_list_t *v,
		    bool is_lost)
{
	for (int i = 0; i < v->cnt; i++)
		g->options.revoked(g->options.ctx, (uint32_t)v->elems[i].partition,
				   is_lost);
}

static void rebalanced(rd_kafka_t *k, rd_kafka_resp_err_t code,
		       rd_kafka_topic_partition_list_t *v, void *arg)
{
	struct kafka_group *g = arg;
	bool is_stepwise = strcmp(rd_kafka_rebalance_protocol(k), "COOPERATIVE") == 0;

	if (code == RD_KAFKA_RESP_ERR__ASSIGN_PARTITIONS) {
		take(g, v);
		if (is_stepwise)
			rd_kafka_error_destroy(rd_kafka_incremental_assign(k, v));
		else
			(void)rd_kafka_assign(k, v);
		return;
	}
	bool is_lost = rd_kafka_assignment_lost(k) != 0;
	kafka_group_release(g);
	g->leaving = rd_kafka_topic_partition_list_copy(v);
	give_up(g, v, is_lost);
	if (is_lost || g->closing)
		kafka_group_release(g);
}

void kafka_group_release(struct kafka_group *g)
{
	rd_kafka_topic_partition_list_t *v = TAKE(g->leaving);

	if (!v)
		return;
	if (strcmp(rd_kafka_rebalance_protocol(g->k), "COOPERATIVE") == 0)
		rd_kafka_error_destroy(rd_kafka_incremental_unassign(g->k, v));
	else
		(void)rd_kafka_assign(g->k, NULL);
	rd_kafka_topic_partition_list_destroy(v);
}

static enum status subscribe(struct kafka_group *g, struct diag *why)
{
	rd_kafka_topic_partition_list_t *v = rd_kafka_topic_partition_list_new(1);

	rd_kafka_topic_partition_list_add(v, g->topic, RD_KAFKA_PARTITION_UA);
	rd_kafka_resp_err_t code = rd_kafka_subscribe(g->k, v);
	rd_kafka_topic_partition_list_destroy(v);
	return code ? diag_fail(why, kafka_status(code), "kafka: %s: %s", g->topic,
				rd_kafka_err2str(code))
		    : ST_OK;
}

static enum status new_consumer(struct kafka_group *g, const struct kafka_place *at,
				struct diag *why)
{
	char session[16], beat[16];
	bool new_protocol =
		str_find(at->properties, STR("group.protocol=consumer")) != STR_NONE;
	/* The newer protocol leaves the first three to the brokers. */
	struct kafka_property defaults[] = {
		{ "fetch.wait.max.ms", "100" },
		{ "queued.max.messages.kbytes", "4096" },
		{ "session.timeout.ms", session },
		{ "heartbeat.interval.ms", beat },
		{ "partition.assignment.strategy", rd_kafka_version() >= COOPERATIVE_SINCE
							   ? "cooperative-sticky"
							   : "range" },
		{ NULL, NULL },
	};
	struct kafka_property fixed[] = {
		{ "group.id", g->options.group },
		{ "enable.auto.commit", "false" },
		{ "enable.auto.offset.store", "false" },
		{ "auto.offset.reset", "earliest" },
		{ "enable.partition.eof", "true" },
		{ NULL, NULL },
	};
	rd_kafka_conf_t *conf;

	if (new_protocol)
		defaults[2] = (struct kafka_property){ NULL, NULL };
	snprintf(session, sizeof(session), "%u", g->options.session_ms);
	snprintf(beat, sizeof(beat), "%u", MAX(g->options.session_ms / 3, 1u));
	TRY(kafka_new_conf(at, defaults, fixed, &conf, why));
	rd_kafka_conf_set_opaque(conf, g);
	rd_kafka_conf_set_rebalance_cb(conf, rebalanced);
	return kafka_new(RD_KAFKA_CONSUMER, conf, &g->k, why);
}

enum status kafka_group_open(struct kafka_group **ret, const struct kafka_place *at,
			     const struct kafka_group_options *o, struct diag *why)
{
	static const uint64_t one = 1;
	struct kafka_group *g = NEW(struct kafka_group);

	g->options = *o;
	g->topic = strdup(o->topic);
	enum status st = new_consumer(g, at, why);
	if (st == ST_OK) {
		rd_kafka_poll_set_consumer(g->k);
		g->queue = rd_kafka_queue_get_consumer(g->k);
		if (o->wake_fd >= 0)
			rd_kafka_queue_io_event_enable(g->queue, o->wake_fd, &one,
						       sizeof(one));
		st = subscribe(g, why);
	}
	if (st != ST_OK) {
		kafka_group_close(&g);
		return st;
	}
	*ret = g;
	return ST_OK;
}

void kafka_group_close(struct kafka_group **ref)
{
	struct kafka_group *g = TAKE(*ref);

	if (!g)
		return;
	if (g->held)
		rd_kafka_message_destroy(g->held);
	if (g->queue) {
		rd_kafka_queue_io_event_enable(g->queue, -1, NULL, 0);
		rd_kafka_queue_destroy(g->queue);
	}
	if (g->k) {
		g->closing = true;
		kafka_group_release(g);
		rd_kafka_consumer_close(g->k);
		rd_kafka_destroy(g->k);
	}
	free(g->topic);
	free(g);
}

enum status kafka_group_next(struct kafka_group *g, int timeout_ms,
			     struct kafka_message *ret, struct diag *why)
{
	if (g->held)
		rd_kafka_message_destroy(TAKE(g->held));
	rd_kafka_message_t *m = rd_kafka_consumer_poll(g->k, timeout_ms);
	if (!m)
		return ST_AGAIN;
	g->held = m;
	if (m->err == RD_KAFKA_RESP_ERR__PARTITION_EOF) {
		*ret = (struct kafka_message){ .partition = (uint32_t)m->partition,
					       .offset = (uint64_t)m->offset,
					       .is_end = true,
					       .key = STR(""),
					       .bytes = STR("") };
		return ST_OK;
	}
	if (m->err)
		return diag_fail(why, kafka_status(m->err), "kafka: %s",
				 rd_kafka_message_errstr(m));
	*ret = (struct kafka_message){ (uint32_t)m->partition,
				       (uint64_t)m->offset,
				       false,
				       { m->key ? m->key : "", m->key_len },
				       { m->payload ? m->payload : "", m->len } };
	return ST_OK;
}

enum status kafka_group_pause(struct kafka_group *g, uint32_t partition, bool pause,
			      struct diag *why)
{
	rd_kafka_topic_partition_list_t *v = rd_kafka_topic_partition_list_new(1);

	rd_kafka_topic_partition_list_add(v, g->topic, (int32_t)partition);
	rd_kafka_resp_err_t code = pause ? rd_kafka_pause_partitions(g->k, v)
					 : rd_kafka_resume_partitions(g->k, v);
	rd_kafka_topic_partition_list_destroy(v);
	return code ? diag_fail(why, kafka_status(code), "kafka: %s",
				rd_kafka_err2str(code))
		    : ST_OK;
}
