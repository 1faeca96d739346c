/* exchange.h - what the files of the protocol share; nobody else includes it. */
#ifndef KB_EXCHANGE_H
#define KB_EXCHANGE_H

#include "kb/protocol.h"

enum param_name {
	PARAM_QUERY,
	PARAM_UPDATE,
	PARAM_DEFAULT_GRAPH,
	PARAM_NAMED_GRAPH,
	PARAM_GRAPH,
	PARAM_DEFAULT,
	PARAM_FORMAT,
	PARAM_ID,
	PARAM_OTHER,
};

struct param {
	enum param_name name;
	struct str value;
};

#define PARAMS_MAX 4096

struct params {
	struct param *v;
	size_t n, cap;
	struct arena bytes;
	bool bad;      /* a percent sign that encodes nothing, or a multipart cut short */
	bool too_many; /* more than PARAMS_MAX */
};

/* One request on its way to its answer. */
struct exchange {
	struct kb *kb;
	const struct protocol_options *options;
	const struct protocol_request *q;
	struct protocol_response *r;
	struct params params;
	struct dataset dataset;
	struct running_query *running;
};

/* params.c: of a query string or a form, and of a multipart form. */
void params_add(struct params *p, struct str text);
void params_add_multipart(struct params *p, struct str content_type, struct str body);
/* The last of this name, or NULL, and how many there are. */
const struct str *params_find(const struct params *p, enum param_name name,
			      size_t *ret_count);
void params_release(struct params *p);

/* protocol.c */
void say(struct exchange *e, unsigned status, const char *text);
void say_failed(struct exchange *e, enum status st, const struct diag *why);
bool is_type(struct str content_type, const char *type);
bool has_method(const struct exchange *e, const char *method);
/* Bytes of the answer; charged to what all answers share. */
enum status add_body(void *context, struct str bytes);

/* graph_store.c: /graphs */
void answer_graphs(struct exchange *e);
#endif
