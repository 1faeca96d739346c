#include "httpd/daemon.h"

#include <arpa/inet.h>
#include <signal.h>

#define HEAD_BYTES ((size_t)32 << 10) /* of a connection: its head and buffers */
#define FEW        64u

struct MHD_Daemon *daemon_start(const struct daemon_options *o)
{
	unsigned threads = o->one_thread ? 0u : (unsigned)MHD_USE_THREAD_PER_CONNECTION;
	struct sockaddr_in at = o->at;
	sigset_t all, before;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	struct MHD_Daemon *d = MHD_start_daemon(
		(unsigned)MHD_USE_INTERNAL_POLLING_THREAD | (unsigned)MHD_USE_POLL |
			threads,
		ntohs(at.sin_port), NULL, NULL, o->on_request, o->context,
		MHD_OPTION_SOCK_ADDR, &at, MHD_OPTION_CONNECTION_LIMIT,
		o->connections ? (unsigned)CONNECTIONS_MAX : FEW,
		MHD_OPTION_CONNECTION_TIMEOUT, o->idle_seconds,
		MHD_OPTION_CONNECTION_MEMORY_LIMIT, HEAD_BYTES,
		MHD_OPTION_THREAD_STACK_SIZE, o->stack_bytes,
		MHD_OPTION_NOTIFY_CONNECTION, o->connections ? connections_notify : NULL,
		o->connections, MHD_OPTION_URI_LOG_CALLBACK, o->on_target, o->context,
		MHD_OPTION_NOTIFY_COMPLETED, o->on_completed, o->context, MHD_OPTION_END);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return d;
}

uint16_t daemon_port(struct MHD_Daemon *d)
{
	const union MHD_DaemonInfo *info =
		MHD_get_daemon_info(d, MHD_DAEMON_INFO_BIND_PORT);

	return info ? info->port : 0;
}
