#include "browser/transport.h"

static enum status pipe_send(struct transport *t, struct str message, struct diag *why)
{
	TRY(transport_write(t, message, why));
	return transport_write(t, (struct str){ "", 1 }, why);
}

static enum status pipe_cut(struct transport *t, struct str *ret, struct diag *why)
{
	struct str rest = str_skip(buf_str(&t->in), t->taken);
	size_t end = str_find_char(rest, '\0');

	(void)why;
	if (end == STR_NONE)
		return ST_AGAIN;
	*ret = str_slice(rest, 0, end);
	t->taken += end + 1;
	return ST_OK;
}

static const struct transport_ops pipe_ops = { pipe_send, pipe_cut };

void transport_init_pipe(struct transport *ret, int read_fd, int write_fd)
{
	*ret = (struct transport){
		.ops = &pipe_ops,
		.read_fd = read_fd,
		.write_fd = write_fd,
		.in = BUF(TRANSPORT_MESSAGE_MAX),
		.open = true,
	};
}
