#include "kafka/client.h"

#include <string.h>

#include "base/buf.h"

#define ASK_MS       10000
#define REPLICAS     3
#define CREATE_TIMES 20 /* looks for a topic that is being made */

static void say_nothing(const rd_kafka_t *k, int level, const char *facility,
			const char *text)
{
	(void)k, (void)level, (void)facility, (void)text;
}

enum status kafka_status(rd_kafka_resp_err_t code)
{
	switch (code) {
	case RD_KAFKA_RESP_ERR_NO_ERROR:
		return ST_OK;
	case RD_KAFKA_RESP_ERR__QUEUE_FULL:
	case RD_KAFKA_RESP_ERR__PARTITION_EOF:
		return ST_AGAIN;
	case RD_KAFKA_RESP_ERR__TIMED_OUT:
	case RD_KAFKA_RESP_ERR__MSG_TIMED_OUT:
		return ST_TIMEOUT;
	case RD_KAFKA_RESP_ERR_MSG_SIZE_TOO_LARGE:
		return ST_TOO_LARGE;
	case RD_KAFKA_RESP_ERR__UNKNOWN_PARTITION:
	case RD_KAFKA_RESP_ERR__UNKNOWN_TOPIC:
	case RD_KAFKA_RESP_ERR_UNKNOWN_TOPIC_OR_PART:
		return ST_NOT_FOUND;
	case RD_KAFKA_RESP_ERR_TOPIC_AUTHORIZATION_FAILED:
	case RD_KAFKA_RESP_ERR_GROUP_AUTHORIZATION_FAILED:
	case RD_KAFKA_RESP_ERR__AUTHENTICATION:
		return ST_DENIED;
	default:
		return ST_IO;
	}
}

/* --- settings --- */

static enum status set(rd_kafka_conf_t *conf, const char *name, const char *value,
		       struct diag *why)
{
	char text[200];

	if (rd_kafka_conf_set(conf, name, value, text, sizeof(text)) != RD_KAFKA_CONF_OK)
		return diag_fail(why, ST_SYNTAX, "kafka: %s", text);
	return ST_OK;
}

static enum status set_all(rd_kafka_conf_t *conf, const struct kafka_property *p,
			   struct diag *why)
{
	for (; p && p->name; p++)
		TRY(set(conf, p->name, p->value, why));
	return ST_OK;
}

static enum status set_given(rd_kafka_conf_t *conf, struct str given, struct diag *why)
{
	struct str one;

	while (str_take_until(&given, '&', &one)) {
		cleanup(buf_release) struct buf name = { 0 }, value = { 0 };
		size_t at = str_find_char(one, '=');

		if (at == STR_NONE)
			return diag_fail(why, ST_SYNTAX,
					 "kafka: '" STR_FMT "' is no name=value",
					 (int)MIN(one.n, 80), one.p);
		buf_add(&name, str_slice(one, 0, at));
		buf_add(&value, str_skip(one, at + 1));
		TRY(set(conf, buf_cstr(&name), buf_cstr(&value), why));
	}
	return ST_OK;
}

static enum status fill(rd_kafka_conf_t *conf, const struct kafka_place *at,
			const struct kafka_property *defaults,
			const struct kafka_property *fixed, struct diag *why)
{
	cleanup(buf_release) struct buf brokers = { 0 };

	buf_add(&brokers, at->brokers);
	TRY(set_all(conf, defaults, why));
	TRY(set_given(conf, at->properties, why));
	TRY(set(conf, "bootstrap.servers", buf_cstr(&brokers), why));
	TRY(set_all(conf, fixed, why));
	rd_kafka_conf_set_log_cb(conf, say_nothing);
	return ST_OK;
}

enum status kafka_new_conf(const struct kafka_place *at,
			   const struct kafka_property *defaults,
			   const struct kafka_property *fixed, rd_kafka_conf_t **ret,
			   struct diag *why)
{
	rd_kafka_conf_t *conf = rd_kafka_conf_new();
	enum status st = fill(conf, at, defaults, fixed, why);

	if (st != ST_OK)
		rd_kafka_conf_destroy(conf);
	else
		*ret = conf;
	return st;
}

enum status kafka_new(rd_kafka_type_t type, rd_kafka_conf_t *conf, rd_kafka_t **ret,
		      struct diag *why)
{
	char text[200];
	rd_kafka_t *k = rd_kafka_new(type, conf, text, sizeof(text));

	if (!k) {
		rd_kafka_conf_destroy(conf);
		return diag_fail(why, ST_IO, "kafka: %s", text);
	}
	*ret = k;
	return ST_OK;
}

/* --- topics --- */

struct topic_view {
	int partitions; /* 0: there is none */
	int brokers;
};

static enum status look(rd_kafka_t *k, const char *topic, struct topic_view *ret,
			struct diag *why)
{
	const struct rd_kafka_metadata *all;
	rd_kafka_resp_err_t code = rd_kafka_metadata(k, 1, NULL, &all, ASK_MS);

	if (code)
		return diag_fail(why, kafka_status(code), "kafka: no broker answers: %s",
				 rd_kafka_err2str(code));
	*ret = (struct topic_view){ .brokers = all->broker_cnt };
	for (int i = 0; i < all->topic_cnt; i++)
		if (strcmp(all->topics[i].topic, topic) == 0 && !all->topics[i].err)
			ret->partitions = all->topics[i].partition_cnt;
	rd_kafka_metadata_destroy(all);
	return ST_OK;
}

static rd_kafka_resp_err_t created(rd_kafka_event_t *e)
{
	const rd_kafka_CreateTopics_result_t *r =
		e ? rd_kafka_event_CreateTopics_result(e) : NULL;
	size_t n = 0;
	const rd_kafka_topic_result_t **v =
		r ? rd_kafka_CreateTopics_result_topics(r, &n) : NULL;

	if (!e)
		return RD_KAFKA_RESP_ERR__TIMED_OUT;
	return rd_kafka_event_error(e) ? rd_kafka_event_error(e)
	       : n > 0                 ? rd_kafka_topic_result_error(v[0])
				       : RD_KAFKA_RESP_ERR__FAIL;
}

static enum status create(rd_kafka_t *k, const char *topic, int brokers,
			  const struct kafka_topic_options *o, struct diag *why)
{
	char text[200];
	int replicas = MIN(MAX(brokers, 1), REPLICAS);
	rd_kafka_NewTopic_t *t = rd_kafka_NewTopic_new(topic, (int)o->partitions,
						       replicas, text, sizeof(text));

	if (!t)
		return diag_fail(why, ST_SYNTAX, "kafka: topic %s: %s", topic, text);
	/* An acknowledged message is on two disks at least, where there are three. */
	(void)rd_kafka_NewTopic_set_config(t, "min.insync.replicas",
					   replicas == REPLICAS ? "2" : "1");
	(void)rd_kafka_NewTopic_set_config(t, "cleanup.policy",
					   o->compacted ? "compact" : "delete");
	rd_kafka_queue_t *q = rd_kafka_queue_new(k);
	rd_kafka_CreateTopics(k, &t, 1, NULL, q);
	rd_kafka_event_t *e = rd_kafka_queue_poll(q, ASK_MS);
	rd_kafka_resp_err_t code = created(e);
	if (e)
		rd_kafka_event_destroy(e);
	rd_kafka_queue_destroy(q);
	rd_kafka_NewTopic_destroy(t);
	/* Another node was first. */
	if (code && code != RD_KAFKA_RESP_ERR_TOPIC_ALREADY_EXISTS)
		return diag_fail(why, kafka_status(code), "kafka: topic %s: %s", topic,
				 rd_kafka_err2str(code));
	return ST_OK;
}

static enum status make(rd_kafka_t *k, const char *topic,
			const struct kafka_topic_options *o, struct diag *why)
{
	struct topic_view view;

	TRY(look(k, topic, &view, why));
	if (view.partitions == 0)
		TRY(create(k, topic, view.brokers, o, why));
	for (int i = 0; view.partitions == 0 && i < CREATE_TIMES; i++) {
		rd_kafka_poll(k, 50);
		TRY(look(k, topic, &view, why));
	}
	if (view.partitions == 0)
		return diag_fail(why, ST_TIMEOUT, "kafka: topic %s does not appear",
				 topic);
	if ((uint32_t)view.partitions != o->partitions)
		return diag_fail(why, ST_EXISTS,
				 "kafka: topic %s has %d partitions, not %u", topic,
				 view.partitions, o->partitions);
	return ST_OK;
}

enum status kafka_make_topic(const struct kafka_place *at, const char *topic,
			     const struct kafka_topic_options *o, struct diag *why)
{
	static const struct kafka_property none[] = { { NULL, NULL } };
	rd_kafka_conf_t *conf;
	rd_kafka_t *k;

	TRY(kafka_new_conf(at, none, none, &conf, why));
	TRY(kafka_new(RD_KAFKA_PRODUCER, conf, &k, why));
	enum status st = make(k, topic, o, why);
	rd_kafka_destroy(k);
	return st;
}
