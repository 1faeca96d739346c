/*
 * mock_brokers - librdkafka's mock brokers as a process of their own, for tests with
 * several crawls: prints their addresses, and lives until its input ends.
 *   mock_brokers TOPIC PARTITIONS
 */
#include <librdkafka/rdkafka.h>

#include <librdkafka/rdkafka_mock.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
	char text[200];
	rd_kafka_conf_t *conf = rd_kafka_conf_new();

	rd_kafka_conf_set_log_cb(conf, NULL);
	rd_kafka_t *k = rd_kafka_new(RD_KAFKA_PRODUCER, conf, text, sizeof(text));
	rd_kafka_mock_cluster_t *m = k ? rd_kafka_mock_cluster_new(k, 3) : NULL;

	if (!m || argc < 3)
		return 1;
	rd_kafka_mock_topic_create(m, argv[1], atoi(argv[2]), 3);
	printf("%s\n", rd_kafka_mock_cluster_bootstraps(m));
	fflush(stdout);
	while (getchar() != EOF)
		;
	rd_kafka_mock_cluster_destroy(m);
	rd_kafka_destroy(k);
	return 0;
}
