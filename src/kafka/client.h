/*
 * client.h - brokers that speak the Kafka protocol, and topics on them.
 *
 * Where they are is "host:port,host:port"; settings of the library ("name=value&...")
 * go to it as they are, before those that our promises rest on.  What librdkafka would
 * print is not printed: errors come back as words.  Any thread.
 */
#ifndef KAFKA_CLIENT_H
#define KAFKA_CLIENT_H

#include <librdkafka/rdkafka.h>

#include "base/str.h"

struct kafka_place {
	struct str brokers;
	struct str properties; /* may be empty */
};

struct kafka_property {
	const char *name, *value;
};

/* `defaults` may be overruled by the place, `fixed` may not; both end with a NULL name.
 */
must_use enum status kafka_new_conf(const struct kafka_place *at,
				    const struct kafka_property *defaults,
				    const struct kafka_property *fixed,
				    rd_kafka_conf_t **ret, struct diag *why);
/* A client of its own; `conf` is taken over, also on failure. */
must_use enum status kafka_new(rd_kafka_type_t type, rd_kafka_conf_t *conf,
			       rd_kafka_t **ret, struct diag *why);
/* The status that an error of the library is for us. */
enum status kafka_status(rd_kafka_resp_err_t code);

struct kafka_topic_options {
	uint32_t partitions;
	bool compacted; /* of each key only the newest message is kept for ever */
};

/*
 * The topic is there with so many partitions, made when it was not: on three brokers if
 * there are so many.  ST_EXISTS when it has another number of partitions.
 */
must_use enum status kafka_make_topic(const struct kafka_place *at, const char *topic,
				      const struct kafka_topic_options *o,
				      struct diag *why);
#endif
