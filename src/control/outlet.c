#include "control/outlet.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>

#define DATAGRAM_MAX 2048 /* what every receiver must take, RFC 5426 3.2, and should */

static enum status open_syslog(struct outlet *o, struct str where, struct diag *why)
{
	struct sockaddr_in to = { .sin_family = AF_INET };
	size_t colon = str_rfind_char(where, ':');
	char address[64];
	uint64_t port = 514;

	snprintf(address, sizeof(address), STR_FMT, STR_ARG(str_slice(where, 0, colon)));
	if ((colon != STR_NONE &&
	     !str_to_uint(str_skip(where, colon + 1), 65535, &port)) ||
	    inet_pton(AF_INET, address, &to.sin_addr) != 1)
		return diag_fail(why, ST_SYNTAX,
				 "--syslog: '" STR_FMT "' is no IPv4 address and port",
				 STR_ARG(where));
	to.sin_port = htons((uint16_t)port);
	o->syslog_fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (o->syslog_fd < 0 ||
	    connect(o->syslog_fd, (struct sockaddr *)&to, sizeof(to)) != 0)
		return diag_fail(why, ST_IO, "--syslog: no socket");
	return ST_OK;
}

enum status outlet_open(struct outlet *o, const struct outlet_options *options,
			struct diag *why)
{
	*o = (struct outlet){ .prints = options->prints,
			      .prints_kinds = ~0u,
			      .syslog_fd = -1,
			      .host = "-" };
	if (options->kinds.n > 0)
		TRY(event_kinds_parse(options->kinds, &o->prints_kinds, why));
	if (options->syslog.n > 0)
		TRY(open_syslog(o, options->syslog, why));
	if (gethostname(o->host, sizeof(o->host) - 1) != 0)
		snprintf(o->host, sizeof(o->host), "-");
	if (options->ring_path) {
		TRY(ring_open(&o->ring, options->ring_path, 0, why));
		o->has_ring = true;
	}
	return ST_OK;
}

void outlet_close(struct outlet *o)
{
	if (o->has_ring) {
		outlet_flush(o);
		ring_close(&o->ring);
	}
	if (o->syslog_fd > 0)
		close(o->syslog_fd);
	buf_release(&o->line);
	buf_release(&o->message);
	*o = (struct outlet){ .syslog_fd = -1 };
}

static void send_syslog(struct outlet *o, const struct event *e, struct str json)
{
	buf_reset(&o->message);
	event_format_syslog(e, str_from(o->host), (long)getpid(), json, &o->message);
	/* What the network does not take now is lost: a crawl waits for no log. */
	if (send(o->syslog_fd, o->message.p, MIN(o->message.n, (size_t)DATAGRAM_MAX),
		 MSG_DONTWAIT | MSG_NOSIGNAL) < 0)
		return;
}

void outlet_put(struct outlet *o, const struct event *e)
{
	bool wanted = o->prints_kinds & 1u << e->kind;
	bool prints = wanted && o->prints, sends = wanted && o->syslog_fd > 0;

	o->counts[e->kind]++;
	if (!o->has_ring && !prints && !sends)
		return;
	buf_reset(&o->line);
	event_format(e, &o->line);
	if (o->has_ring)
		ring_add(&o->ring, buf_str(&o->line));
	if (sends)
		send_syslog(o, e, buf_str(&o->line));
	if (prints)
		printf(STR_FMT "\n", STR_ARG(buf_str(&o->line)));
}

void outlet_flush(struct outlet *o)
{
	struct diag why;

	if (o->has_ring && ring_flush(&o->ring, &why) != ST_OK) {
		ring_close(&o->ring);
		o->has_ring = false;
	}
}
