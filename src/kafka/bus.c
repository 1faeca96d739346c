#include "kafka/bus.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "kafka/producer.h"

#define WAIT_MS 30000
#define LOOK_MS 100

struct kafka_reader {
	rd_kafka_message_t *held; /* lent to the caller */
	int64_t next;
	bool on;
};

struct kafka_bus {
	struct bus base; /* must stay first */
	struct kafka_producer *out;
	rd_kafka_t *k; /* reads, without a group */
	rd_kafka_topic_t *topic;
	char *name;
	struct kafka_reader *readers; /* by partition */
};

static enum status check(struct bus *b, uint32_t partition, struct diag *why)
{
	return partition < b->partitions
		       ? ST_OK
		       : diag_fail(why, ST_NOT_FOUND, "bus: there is no partition %u",
				   partition);
}

static enum status remote_add(struct bus *b, uint32_t partition, struct str message,
			      uint64_t *ret_offset, struct diag *why)
{
	struct kafka_bus *k = (struct kafka_bus *)b;

	TRY(check(b, partition, why));
	TRY(kafka_add(k->out, partition, STR(""), message, why));
	TRY(kafka_flush(k->out, WAIT_MS, why));
	*ret_offset = kafka_end(k->out, partition) - 1;
	return ST_OK;
}

static enum status remote_sync(struct bus *b, struct diag *why)
{
	return kafka_flush(((struct kafka_bus *)b)->out, WAIT_MS, why);
}

static void stop_reader(struct kafka_bus *k, uint32_t partition)
{
	struct kafka_reader *r = &k->readers[partition];

	if (r->held)
		rd_kafka_message_destroy(TAKE(r->held));
	if (r->on)
		rd_kafka_consume_stop(k->topic, (int32_t)partition);
	r->on = false;
}

static enum status remote_seek(struct bus *b, uint32_t partition, uint64_t offset,
			       struct diag *why)
{
	struct kafka_bus *k = (struct kafka_bus *)b;

	TRY(check(b, partition, why));
	stop_reader(k, partition);
	/* 0 is the beginning, also when the first ones are forgotten. */
	int64_t from = offset ? (int64_t)offset : RD_KAFKA_OFFSET_BEGINNING;
	if (rd_kafka_consume_start(k->topic, (int32_t)partition, from) != 0)
		return diag_fail(why, kafka_status(rd_kafka_last_error()), "kafka: %s",
				 rd_kafka_err2str(rd_kafka_last_error()));
	k->readers[partition].on = true;
	k->readers[partition].next = (int64_t)offset;
	return ST_OK;
}

/* Is there a message that was not read yet? */
static enum status is_behind(struct kafka_bus *k, uint32_t partition, bool *ret,
			     struct diag *why)
{
	int64_t low, high;
	rd_kafka_resp_err_t code = rd_kafka_query_watermark_offsets(
		k->k, k->name, (int32_t)partition, &low, &high, WAIT_MS);

	if (code)
		return diag_fail(why, kafka_status(code), "kafka: %s",
				 rd_kafka_err2str(code));
	*ret = MAX(k->readers[partition].next, low) < high;
	return ST_OK;
}

static enum status remote_next(struct bus *b, uint32_t partition, struct str *ret,
			       uint64_t *ret_next, struct diag *why)
{
	struct kafka_bus *k = (struct kafka_bus *)b;
	bool is_asked = false, behind = false;

	TRY(check(b, partition, why));
	struct kafka_reader *r = &k->readers[partition];
	if (!r->on)
		TRY(remote_seek(b, partition, 0, why));
	if (r->held)
		rd_kafka_message_destroy(TAKE(r->held));
	for (int waited = 0; waited <= WAIT_MS; waited += LOOK_MS) {
		rd_kafka_message_t *m = rd_kafka_consume(k->topic, (int32_t)partition,
							 is_asked ? LOOK_MS : 0);

		if (m && !m->err) {
			r->held = m;
			r->next = m->offset + 1;
			*ret = (struct str){ m->payload ? m->payload : "", m->len };
			*ret_next = (uint64_t)r->next;
			return ST_OK;
		}
		if (m)
			rd_kafka_message_destroy(m); /* it tries again by itself */
		if (!is_asked)
			TRY(is_behind(k, partition, &behind, why));
		is_asked = true;
		if (!behind)
			return ST_AGAIN;
	}
	return diag_fail(why, ST_TIMEOUT, "kafka: partition %u does not answer",
			 partition);
}

/* The brokers forget by themselves, when the retention of the topic is over. */
static enum status remote_forget(struct bus *b, uint32_t partition, uint64_t offset,
				 struct diag *why)
{
	(void)offset;
	return check(b, partition, why);
}

static void remote_close(struct bus *b)
{
	struct kafka_bus *k = (struct kafka_bus *)b;

	for (uint32_t i = 0; k->readers && i < b->partitions; i++)
		stop_reader(k, i);
	if (k->topic)
		rd_kafka_topic_destroy(k->topic);
	if (k->k)
		rd_kafka_destroy(k->k);
	kafka_producer_close(&k->out);
	free(k->readers);
	free(k->name);
	free(k);
}

static const struct bus_ops kafka_ops = {
	remote_add, remote_sync, remote_seek, remote_next, remote_forget, remote_close,
};

static enum status open_clients(struct kafka_bus *k, const struct kafka_place *at,
				const char *topic, struct diag *why)
{
	static const struct kafka_property fixed[] = {
		{ "auto.offset.reset", "earliest" }, { NULL, NULL }
	};
	struct kafka_topic_options o = { .partitions = k->base.partitions };
	rd_kafka_conf_t *conf;

	TRY(kafka_make_topic(at, topic, &o, why));
	TRY(kafka_producer_open(&k->out, at, topic, k->base.partitions, why));
	TRY(kafka_new_conf(at, NULL, fixed, &conf, why));
	TRY(kafka_new(RD_KAFKA_CONSUMER, conf, &k->k, why));
	k->topic = rd_kafka_topic_new(k->k, topic, NULL);
	return ST_OK;
}

enum status bus_open_kafka(struct bus **ret, const struct kafka_place *at,
			   const char *topic, uint32_t partitions, struct diag *why)
{
	if (partitions == 0 || partitions > BUS_PARTITIONS_MAX)
		return diag_fail(why, ST_TOO_LARGE, "bus: 1 to %d partitions, not %u",
				 BUS_PARTITIONS_MAX, partitions);
	struct kafka_bus *k = NEW(struct kafka_bus);

	*k = (struct kafka_bus){ .base = { &kafka_ops, partitions },
				 .name = strdup(topic),
				 .readers = xcalloc(partitions, sizeof(*k->readers)) };
	enum status st = open_clients(k, at, topic, why);
	if (st != ST_OK) {
		remote_close(&k->base);
		return st;
	}
	*ret = &k->base;
	return ST_OK;
}
