#include "replay/names.h"

static void add_host(struct buf *to, const struct url *u)
{
	if (u->host_kind != HOST_IPV6) {
		buf_add(to, u->host);
		return;
	}
	buf_add(to, STR("v6-"));
	for (size_t i = 1; i + 1 < u->host.n; i++)
		buf_add_char(to, u->host.p[i] == ':' ? '-' : u->host.p[i]);
}

void replay_add_name(struct buf *to, const struct url *u, struct str time, unsigned port)
{
	add_host(to, u);
	buf_addf(to, ".p%u.", u->port_number);
	buf_add(to, u->scheme);
	if (time.n) {
		buf_add_char(to, '.');
		buf_add(to, time);
	}
	buf_addf(to, ".localhost:%u", port);
}

void replay_add_url(struct buf *to, const struct url *u, struct str time, unsigned port)
{
	buf_add(to, STR("http://"));
	replay_add_name(to, u, time, port);
	buf_add(to, url_path_query(u));
	if (u->has_fragment) {
		buf_add_char(to, '#');
		buf_add(to, u->fragment);
	}
}

/* The last label of `*name`, taken off. */
static struct str take_label(struct str *name)
{
	size_t dot = str_rfind_char(*name, '.');
	struct str label = dot == STR_NONE ? *name : str_skip(*name, dot + 1);

	*name = dot == STR_NONE ? STR("") : str_slice(*name, 0, dot);
	return label;
}

static bool is_digits(struct str s)
{
	for (size_t i = 0; i < s.n; i++)
		if (s.p[i] < '0' || s.p[i] > '9')
			return false;
	return s.n > 0;
}

static bool take_port(struct str *host, unsigned port)
{
	size_t colon = str_rfind_char(*host, ':');
	uint64_t n = 80;

	if (colon != STR_NONE && !str_to_uint(str_skip(*host, colon + 1), UINT16_MAX, &n))
		return false;
	*host = str_slice(*host, 0, colon);
	return n == port;
}

bool replay_parse(struct str host, struct str path, unsigned port, struct buf *to,
		  struct str *ret_time)
{
	uint64_t own_port;

	if (!take_port(&host, port) ||
	    !str_eq_nocase(take_label(&host), STR("localhost")))
		return false;
	struct str scheme = take_label(&host);
	*ret_time = STR("");
	if (is_digits(scheme) && scheme.n == 14) {
		*ret_time = scheme;
		scheme = take_label(&host);
	}
	struct str label = take_label(&host);
	if ((!str_eq(scheme, STR("http")) && !str_eq(scheme, STR("https"))) ||
	    label.n < 2 || label.p[0] != 'p' ||
	    !str_to_uint(str_skip(label, 1), UINT16_MAX, &own_port) || host.n == 0)
		return false;
	buf_add(to, scheme);
	buf_add(to, STR("://"));
	if (str_starts(host, STR("v6-"))) {
		buf_add_char(to, '[');
		for (size_t i = 3; i < host.n; i++)
			buf_add_char(to, host.p[i] == '-' ? ':' : host.p[i]);
		buf_add_char(to, ']');
	} else {
		buf_add(to, host);
	}
	buf_addf(to, ":%llu", (unsigned long long)own_port);
	buf_add(to, path);
	return true;
}

bool replay_is_own_origin(struct str origin, unsigned port)
{
	if (!str_starts_nocase(origin, STR("http://")))
		return false;
	origin = str_skip(origin, 7);
	origin = str_slice(origin, 0, str_find_char(origin, '/'));
	return take_port(&origin, port) &&
	       str_eq_nocase(take_label(&origin), STR("localhost"));
}
