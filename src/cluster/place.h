/*
 * place.h - where a crawl on several machines has its engines: the value of --cluster.
 *
 *   kafka://HOST:PORT/NAME?partitions=64&session=6000&lease=30000,pg://HOST/DATABASE
 *
 * Several kafka:// are several brokers of one cluster.  NAME is the crawl's ("thresh"
 * unless given): its topic, its group and its rows bear it.  Other settings behind the
 * question mark go to librdkafka.  Pure; strings lie in `bytes`.
 */
#ifndef CLUSTER_PLACE_H
#define CLUSTER_PLACE_H

#include "base/arena.h"
#include "kafka/client.h"

#define CLUSTER_NAME_MAX 100

struct cluster_place {
	struct kafka_place kafka;
	const char *name;  /* of the crawl */
	const char *topic; /* "thresh.NAME" */
	const char *group;
	const char *dead_letters; /* a topic for what cannot be read */
	const char *database;     /* as sql_open() wants it */
	struct str blobs;         /* "s3://..." or empty */
	uint32_t partitions;
	uint32_t session_ms; /* a silent node has lost its share after it */
	uint32_t lease_ms;   /* of an address */
	struct arena bytes;
};

must_use enum status cluster_place_parse(struct str text, struct cluster_place *ret,
					 struct diag *why);
void cluster_place_release(struct cluster_place *p);
#endif
