#include "kafka/producer.h"

#include <stdlib.h>

#include "base/alloc.h"

struct kafka_producer {
	rd_kafka_t *k;
	rd_kafka_topic_t *topic;
	uint64_t *ends; /* by partition */
	uint32_t partitions;
	uint64_t given_up;
	rd_kafka_resp_err_t cause; /* of the last that was given up */
};

static void delivered(rd_kafka_t *k, const rd_kafka_message_t *m, void *arg)
{
	struct kafka_producer *p = arg;

	(void)k;
	if (m->err) {
		p->given_up++;
		p->cause = m->err;
	} else if (m->offset >= 0 && (uint32_t)m->partition < p->partitions) {
		uint64_t *end = &p->ends[m->partition];

		*end = MAX(*end, (uint64_t)m->offset + 1);
	}
}

enum status kafka_producer_open(struct kafka_producer **ret, const struct kafka_place *at,
				const char *topic, uint32_t partitions, struct diag *why)
{
	static const struct kafka_property defaults[] = {
		{ "linger.ms", "5" },
		{ "compression.codec", "lz4" },
		{ "queue.buffering.max.kbytes", "65536" },
		{ "delivery.timeout.ms", "120000" },
		{ NULL, NULL },
	};
	static const struct kafka_property fixed[] = {
		{ "enable.idempotence", "true" }, /* order over retries */
		{ "acks", "all" },
		{ NULL, NULL },
	};
	struct kafka_producer *p = NEW(struct kafka_producer);
	rd_kafka_conf_t *conf;
	enum status st = kafka_new_conf(at, defaults, fixed, &conf, why);

	if (st == ST_OK) {
		rd_kafka_conf_set_opaque(conf, p);
		rd_kafka_conf_set_dr_msg_cb(conf, delivered);
		st = kafka_new(RD_KAFKA_PRODUCER, conf, &p->k, why);
	}
	if (st != ST_OK) {
		free(p);
		return st;
	}
	p->topic = rd_kafka_topic_new(p->k, topic, NULL);
	p->partitions = partitions;
	p->ends = xcalloc(partitions, sizeof(*p->ends));
	*ret = p;
	return ST_OK;
}

void kafka_producer_close(struct kafka_producer **ref)
{
	struct kafka_producer *p = TAKE(*ref);

	if (!p)
		return;
	if (p->topic)
		rd_kafka_topic_destroy(p->topic);
	rd_kafka_purge(p->k, RD_KAFKA_PURGE_F_QUEUE | RD_KAFKA_PURGE_F_INFLIGHT);
	rd_kafka_destroy(p->k);
	free(p->ends);
	free(p);
}

enum status kafka_add(struct kafka_producer *p, uint32_t partition, struct str key,
		      struct str message, struct diag *why)
{
	if (partition >= p->partitions)
		return diag_fail(why, ST_NOT_FOUND, "kafka: there is no partition %u",
				 partition);
	rd_kafka_poll(p->k, 0);
	rd_kafka_resp_err_t code = rd_kafka_producev(
		p->k, RD_KAFKA_V_RKT(p->topic), RD_KAFKA_V_PARTITION((int32_t)partition),
		RD_KAFKA_V_MSGFLAGS(RD_KAFKA_MSG_F_COPY),
		RD_KAFKA_V_KEY(key.n ? key.p : NULL, key.n),
		RD_KAFKA_V_VALUE((void *)(uintptr_t)message.p, message.n),
		RD_KAFKA_V_END);

	return code ? diag_fail(why, kafka_status(code), "kafka: %s",
				rd_kafka_err2str(code))
		    : ST_OK;
}

enum status kafka_flush(struct kafka_producer *p, int timeout_ms, struct diag *why)
{
	rd_kafka_resp_err_t code = rd_kafka_flush(p->k, timeout_ms);

	if (p->given_up > 0) {
		p->given_up = 0;
		return diag_fail(why, ST_IO, "kafka: messages were given up: %s",
				 rd_kafka_err2str(p->cause));
	}
	return code ? diag_fail(why, kafka_status(code),
				"kafka: messages wait to be acknowledged")
		    : ST_OK;
}

uint64_t kafka_end(const struct kafka_producer *p, uint32_t partition)
{
	return partition < p->partitions ? p->ends[partition] : 0;
}
