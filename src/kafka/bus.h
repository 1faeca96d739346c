/*
 * bus.h - the bus (port/bus.h) over the Kafka protocol: one topic.
 *
 * An offset of the bus is an offset of the partition.  add() waits for the
 * acknowledgement, because it returns the offset: who has many messages uses producer.h.
 * The topic is made when missing.  One thread.
 */
#ifndef KAFKA_BUS_H
#define KAFKA_BUS_H

#include "kafka/client.h"
#include "port/bus.h"

must_use enum status bus_open_kafka(struct bus **ret, const struct kafka_place *at,
				    const char *topic, uint32_t partitions,
				    struct diag *why);
#endif
