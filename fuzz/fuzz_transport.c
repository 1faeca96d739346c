#include <sys/socket.h>
#include <unistd.h>

#include "base/json.h"
#include "browser/cdp.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool never(void *ctx)
{
	(void)ctx;
	return false;
}

/* A browser that sends anything at all: messages are cut and parsed, events delivered. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	cleanup(transport_release) struct transport t = { 0 };
	struct cdp c = { .transport = &t };
	int fds[2];

	if (size > 60000 || socketpair(AF_UNIX, SOCK_STREAM, 0, fds) != 0)
		return 0;
	transport_init_pipe(&t, fds[0], fds[0]);
	if (write(fds[1], data, size) == (ssize_t)size) {
		close(fds[1]);
		(void)!cdp_wait(&c, never, NULL, 1000, NULL);
	} else {
		close(fds[1]);
	}
	return 0;
}
