/*
 * The URL standard's parser, one function a state or a few of them.  Where the
 * standard keeps a path as a list, this writes it as text at once: a segment is
 * "/" and its bytes, so that the list is empty when the text is.
 */
#include <string.h>

#include "base/utf8.h"
#include "url/host.h"
#include "url/percent.h"
#include "url/url_internal.h"

struct parser {
	struct str in; /* what is left of the input */
	const struct url *base;
	struct buf *out;
	struct url_parts at;
	struct diag *why;
};

static bool special(const struct parser *p)
{
	return p->at.scheme_kind != URL_OTHER;
}

static bool is_slash(const struct parser *p, char c)
{
	return c == '/' || (c == '\\' && special(p));
}

static bool starts_with_slash(const struct parser *p)
{
	return p->in.n && is_slash(p, p->in.p[0]);
}

/* Consume up to one of the bytes that end what is being read. */
static struct str take_part(struct parser *p, bool at_slash, bool at_query)
{
	size_t i = 0;

	for (; i < p->in.n; i++) {
		char c = p->in.p[i];

		if (c == '#' || (c == '?' && at_query) || (at_slash && is_slash(p, c)))
			break;
	}
	struct str part = str_slice(p->in, 0, i);

	p->in = str_skip(p->in, i);
	return part;
}

/* "C:" or "C|" (the standard's Windows drive letter). */
static bool is_drive(struct str s)
{
	return s.n == 2 && ascii_is_alpha(s.p[0]) && (s.p[1] == ':' || s.p[1] == '|');
}

static bool starts_with_drive(struct str s)
{
	return is_drive(str_slice(s, 0, 2)) &&
	       (s.n == 2 || s.p[2] == '/' || s.p[2] == '\\' || s.p[2] == '?' ||
		s.p[2] == '#');
}

/* How many dots a segment means, "%2e" counting as one; 0 when it is a name. */
static unsigned dots_in(struct str segment)
{
	unsigned dots = 0;

	while (segment.n) {
		if (!str_take_char(&segment, '.')) {
			if (percent_value(segment) != '.')
				return 0;
			segment = str_skip(segment, 3);
		}
		if (++dots > 2)
			return 0;
	}
	return dots;
}

static struct str path_so_far(const struct parser *p)
{
	return str_skip(buf_str(p->out), p->at.path_start);
}

/* Drop the last segment, but never the drive of a file URL. */
static void shorten_path(struct parser *p)
{
	struct str path = path_so_far(p);
	size_t slash = str_rfind_char(path, '/');

	if (slash == STR_NONE)
		return;
	if (p->at.scheme_kind == URL_FILE && slash == 0 && path.n == 3 &&
	    is_drive(str_skip(path, 1)) && path.p[2] == ':')
		return;
	p->out->n = p->at.path_start + slash;
}

static void add_segment(struct parser *p, struct str segment)
{
	bool first = p->out->n == p->at.path_start;

	buf_add_char(p->out, '/');
	if (p->at.scheme_kind == URL_FILE && first && is_drive(segment)) {
		buf_add_char(p->out, segment.p[0]);
		buf_add_char(p->out, ':');
		return;
	}
	buf_add_encoded(p->out, segment, CLASS_PATH);
}

/*
 * The path state: the segments from here to '?' or '#'.  The slash before the
 * first has been read.
 */
static void read_segments(struct parser *p)
{
	for (;;) {
		struct str segment = take_part(p, true, true);
		bool more = starts_with_slash(p);
		unsigned dots = dots_in(segment);

		if (dots == 2)
			shorten_path(p);
		if (dots == 0)
			add_segment(p, segment);
		else if (!more)
			buf_add_char(p->out, '/');
		if (!more)
			return;
		p->in = str_skip(p->in, 1);
	}
}

/* The path start state. */
static void read_path(struct parser *p)
{
	p->at.path_start = p->out->n;
	if (starts_with_slash(p))
		p->in = str_skip(p->in, 1);
	else if (!special(p) && (p->in.n == 0 || p->in.p[0] == '?' || p->in.p[0] == '#'))
		return;
	read_segments(p);
}

/* "/." before a path that would otherwise read as a host. */
static void protect_path(struct parser *p)
{
	size_t start = p->at.path_start, n = p->out->n - start;

	if (p->at.host_kind != HOST_NONE || p->at.opaque_path ||
	    !str_starts(path_so_far(p), STR("//")))
		return;
	buf_add(p->out, STR("/."));
	memmove(p->out->p + start + 2, p->out->p + start, n);
	memcpy(p->out->p + start, "/.", 2);
	p->at.path_start += 2;
}

static void end_path(struct parser *p)
{
	protect_path(p);
	p->at.path_end = p->at.query_start = p->at.query_end = p->out->n;
}

static void read_query(struct parser *p)
{
	if (!str_take_char(&p->in, '?'))
		return;
	buf_add_char(p->out, '?');
	p->at.has_query = true;
	p->at.query_start = p->out->n;
	buf_add_encoded(p->out, take_part(p, false, false),
			special(p) ? CLASS_SPECIAL_QUERY : CLASS_QUERY);
	p->at.query_end = p->out->n;
}

static void read_fragment(struct parser *p)
{
	p->at.fragment_start = p->out->n;
	if (!str_take_char(&p->in, '#'))
		return;
	buf_add_char(p->out, '#');
	p->at.has_fragment = true;
	p->at.fragment_start = p->out->n;
	buf_add_encoded(p->out, p->in, CLASS_FRAGMENT);
}

static void read_path_and_rest(struct parser *p)
{
	read_path(p);
	end_path(p);
	read_query(p);
	read_fragment(p);
}

static void add_credentials(struct parser *p, struct str credentials)
{
	struct str user;

	p->at.user_start = p->at.user_end = p->out->n;
	p->at.pass_start = p->at.pass_end = p->out->n;
	if (!str_take_until(&credentials, ':', &user))
		return;
	buf_add_encoded(p->out, user, CLASS_USERINFO);
	p->at.user_end = p->at.pass_start = p->at.pass_end = p->out->n;
	if (credentials.n) {
		buf_add_char(p->out, ':');
		p->at.pass_start = p->out->n;
		buf_add_encoded(p->out, credentials, CLASS_USERINFO);
		p->at.pass_end = p->out->n;
	}
	if (p->out->n > p->at.user_start)
		buf_add_char(p->out, '@');
}

static enum status add_port(struct parser *p, struct str digits)
{
	uint64_t port;

	p->at.port_start = p->at.port_end = p->out->n;
	p->at.port_number = url_default_port(p->at.scheme_kind);
	if (digits.n == 0)
		return ST_OK;
	if (!str_to_uint(digits, UINT16_MAX, &port))
		return diag_fail(p->why, ST_SYNTAX, "not a port: " STR_FMT,
				 STR_ARG(str_slice(digits, 0, 80)));
	if (port == p->at.port_number && special(p))
		return ST_OK;
	buf_add_char(p->out, ':');
	p->at.port_start = p->out->n;
	buf_add_uint(p->out, port);
	p->at.port_end = p->out->n;
	p->at.port_number = (uint16_t)port;
	return ST_OK;
}

/* The ':' before the port: the first one outside brackets. */
static size_t find_port_colon(struct str host)
{
	bool inside = false;

	for (size_t i = 0; i < host.n; i++) {
		if (host.p[i] == '[')
			inside = true;
		else if (host.p[i] == ']')
			inside = false;
		else if (host.p[i] == ':' && !inside)
			return i;
	}
	return STR_NONE;
}

static enum status add_host(struct parser *p, struct str host)
{
	p->at.host_start = p->out->n;
	TRY(host_parse(host, special(p), p->out, &p->at.host_kind, p->why));
	p->at.host_end = p->out->n;
	return ST_OK;
}

/* The authority, host and port states; "//" has been read. */
static enum status read_authority(struct parser *p)
{
	struct str all = take_part(p, true, true), credentials = { "", 0 }, host = all;
	size_t at = str_rfind_char(all, '@'), colon;

	buf_add(p->out, STR("//"));
	if (at != STR_NONE) {
		credentials = str_slice(all, 0, at);
		host = str_skip(all, at + 1);
	}
	colon = find_port_colon(host);
	struct str name = str_slice(host, 0, colon);

	if (name.n == 0 && (special(p) || colon != STR_NONE || at != STR_NONE))
		return diag_fail(p->why, ST_SYNTAX, "the host is missing");
	add_credentials(p, credentials);
	TRY(add_host(p, name));
	TRY(add_port(p, colon == STR_NONE ? STR("") : str_skip(host, colon + 1)));
	read_path_and_rest(p);
	return ST_OK;
}

/* The special authority (ignore) slashes states: however many slashes there are. */
static enum status skip_slashes_read_authority(struct parser *p)
{
	while (starts_with_slash(p))
		p->in = str_skip(p->in, 1);
	return read_authority(p);
}

/*
 * Copy the base from after its scheme up to `end`, a place in its href.  The
 * schemes are the same wherever this is called, so offsets are, too.
 */
static void copy_base(struct parser *p, const char *end)
{
	const struct url *b = p->base;
	const char *href = b->href.p, *from = href + p->out->n;
	/* Without a host, the "/." that protects the base's path is not part of it. */
	const char *path = b->host_kind == HOST_NONE ? from : b->path.p;

	buf_add(p->out, (struct str){ from, (size_t)(path - from) });
	p->at.user_start = (size_t)(b->username.p - href);
	p->at.user_end = p->at.user_start + b->username.n;
	p->at.pass_start = (size_t)(b->password.p - href);
	p->at.pass_end = p->at.pass_start + b->password.n;
	p->at.host_start = (size_t)(b->host.p - href);
	p->at.host_end = p->at.host_start + b->host.n;
	p->at.port_start = (size_t)(b->port.p - href);
	p->at.port_end = p->at.port_start + b->port.n;
	p->at.port_number = b->port_number;
	p->at.host_kind = b->host_kind;
	p->at.path_start = p->out->n;
	if (end > b->path.p)
		buf_add(p->out, (struct str){ b->path.p, (size_t)(end - b->path.p) });
}

static void copy_base_query(struct parser *p)
{
	p->at.has_query = p->base->has_query;
	if (!p->base->has_query)
		return;
	buf_add_char(p->out, '?');
	p->at.query_start = p->out->n;
	buf_add(p->out, p->base->query);
	p->at.query_end = p->out->n;
}

/* What a reference without slash, scheme and host keeps of its base. */
static void resolve_in_base(struct parser *p)
{
	copy_base(p, p->base->path.p + p->base->path.n);
	if (p->in.n == 0 || p->in.p[0] == '#') {
		end_path(p);
		copy_base_query(p);
	} else if (p->in.p[0] == '?') {
		end_path(p);
		read_query(p);
	} else {
		if (p->at.scheme_kind == URL_FILE && starts_with_drive(p->in))
			p->out->n = p->at.path_start;
		else
			shorten_path(p);
		read_segments(p);
		end_path(p);
		read_query(p);
	}
	read_fragment(p);
}

/* The relative and relative slash states. */
static enum status read_relative(struct parser *p)
{
	if (!starts_with_slash(p)) {
		resolve_in_base(p);
		return ST_OK;
	}
	if (p->in.n > 1 && is_slash(p, p->in.p[1])) {
		p->in = str_skip(p->in, 2);
		return special(p) ? skip_slashes_read_authority(p) : read_authority(p);
	}
	copy_base(p, p->base->path.p);
	read_path_and_rest(p);
	return ST_OK;
}

/* No credentials, no port: everything before the path of a file URL is its host. */
static void begin_file_host(struct parser *p)
{
	buf_add(p->out, STR("//"));
	p->at.user_start = p->at.user_end = p->at.pass_start = p->at.pass_end = p->out->n;
	p->at.host_start = p->at.host_end = p->at.port_start = p->at.port_end = p->out->n;
	p->at.host_kind = HOST_EMPTY;
}

/* The file host state; the two slashes have been read. */
static enum status read_file_host(struct parser *p)
{
	struct str before = p->in, host = take_part(p, true, true);

	begin_file_host(p);
	if (is_drive(host)) {
		p->in = before;
	} else if (host.n) {
		TRY(add_host(p, host));
		struct str name = str_skip(buf_str(p->out), p->at.host_start);

		if (str_eq(name, STR("localhost"))) {
			p->out->n = p->at.host_end = p->at.host_start;
			p->at.host_kind = HOST_EMPTY;
		}
		p->at.port_start = p->at.port_end = p->out->n;
	}
	read_path_and_rest(p);
	return ST_OK;
}

/* The file and file slash states.  `base` counts only when it is a file URL too. */
static enum status read_file(struct parser *p)
{
	const struct url *base = p->base;
	bool based = base && base->scheme_kind == URL_FILE;

	if (!starts_with_slash(p)) {
		if (based) {
			resolve_in_base(p);
			return ST_OK;
		}
		begin_file_host(p);
		read_path_and_rest(p);
		return ST_OK;
	}
	if (p->in.n > 1 && is_slash(p, p->in.p[1])) {
		p->in = str_skip(p->in, 2);
		return read_file_host(p);
	}
	if (!based) {
		begin_file_host(p);
		read_path_and_rest(p);
		return ST_OK;
	}
	struct str drive = str_slice(base->path, 1, 3);
	bool keep = base->path.n >= 3 && is_drive(drive) && drive.p[1] == ':' &&
		    (base->path.n == 3 || base->path.p[3] == '/') &&
		    !starts_with_drive(str_skip(p->in, 1));

	copy_base(p, base->path.p + (keep ? 3 : 0));
	p->in = str_skip(p->in, 1);
	read_segments(p);
	end_path(p);
	read_query(p);
	read_fragment(p);
	return ST_OK;
}

static void no_host(struct parser *p)
{
	p->at.user_start = p->at.user_end = p->at.pass_start = p->at.pass_end = p->out->n;
	p->at.host_start = p->at.host_end = p->at.port_start = p->at.port_end = p->out->n;
}

/* The opaque path state: a last space before '?' or '#' would be trimmed later, so it is
 * encoded. */
static void read_opaque(struct parser *p)
{
	no_host(p);
	p->at.path_start = p->out->n;
	p->at.opaque_path = true;

	struct str path = take_part(p, false, true);
	bool space = p->in.n && path.n && path.p[path.n - 1] == ' ';

	buf_add_encoded(p->out, str_slice(path, 0, path.n - space), CLASS_CONTROL);
	if (space)
		buf_add(p->out, STR("%20"));
	end_path(p);
	read_query(p);
	read_fragment(p);
}

/* A scheme and its ':' at the front; consumed, lower case, into the output. */
static bool take_scheme(struct parser *p)
{
	size_t colon = str_find_char(p->in, ':');

	if (colon == STR_NONE || colon == 0 || !ascii_is_alpha(p->in.p[0]))
		return false;
	for (size_t i = 1; i < colon; i++)
		if (!has_class(p->in.p[i], CLASS_SCHEME))
			return false;
	for (size_t i = 0; i < colon; i++)
		buf_add_char(p->out, ascii_lower(p->in.p[i]));
	p->at.scheme_end = colon;
	p->at.scheme_kind = url_scheme_of(buf_str(p->out));
	buf_add_char(p->out, ':');
	p->in = str_skip(p->in, colon + 1);
	return true;
}

static enum status read_after_scheme(struct parser *p)
{
	if (p->at.scheme_kind == URL_FILE)
		return read_file(p);
	if (special(p)) {
		/* "http:x" is relative to a base of the same scheme, or else has host x.
		 */
		if (p->base && p->base->scheme_kind == p->at.scheme_kind &&
		    !str_starts(p->in, STR("//")))
			return read_relative(p);
		return skip_slashes_read_authority(p);
	}
	if (str_take_prefix(&p->in, STR("//")))
		return read_authority(p);
	if (!starts_with_slash(p)) {
		read_opaque(p);
		return ST_OK;
	}
	no_host(p);
	read_path_and_rest(p);
	return ST_OK;
}

/* The no scheme state. */
static enum status read_without_scheme(struct parser *p)
{
	const struct url *base = p->base;

	if (!base)
		return diag_fail(p->why, ST_SYNTAX,
				 "relative, and there is no base: " STR_FMT,
				 STR_ARG(str_slice(p->in, 0, 80)));
	if (base->opaque_path && (p->in.n == 0 || p->in.p[0] != '#'))
		return diag_fail(p->why, ST_SYNTAX, "nothing is relative to " STR_FMT,
				 STR_ARG(str_slice(base->href, 0, 80)));
	buf_add(p->out, base->scheme);
	buf_add_char(p->out, ':');
	p->at.scheme_end = base->scheme.n;
	p->at.scheme_kind = base->scheme_kind;
	p->at.opaque_path = base->opaque_path;
	if (base->scheme_kind == URL_FILE)
		return read_file(p);
	return read_relative(p);
}

/* Tabs and newlines go, malformed UTF-8 becomes U+FFFD. */
static bool is_clean(struct str in)
{
	bool ascii = true;

	for (size_t i = 0; i < in.n; i++) {
		if (in.p[i] == '\t' || in.p[i] == '\n' || in.p[i] == '\r')
			return false;
		ascii &= (uint8_t)in.p[i] < 0x80;
	}
	return ascii || utf8_valid(in);
}

static void add_clean(struct buf *to, struct str in)
{
	size_t from = 0, n = 0;

	buf_add_utf8_repaired(to, in);
	for (; from < to->n; from++)
		if (to->p[from] != '\t' && to->p[from] != '\n' && to->p[from] != '\r')
			to->p[n++] = to->p[from];
	to->n = n;
}

enum status url_parse_whole(struct str input, const struct url *base, struct buf *to,
			    struct url_parts *ret, struct diag *why)
{
	cleanup(buf_release) struct buf clean = { 0 };
	struct parser p = { .in = input, .base = base, .out = to, .why = why };

	if (!is_clean(input)) {
		add_clean(&clean, input);
		p.in = buf_str(&clean);
	}
	TRY(take_scheme(&p) ? read_after_scheme(&p) : read_without_scheme(&p));
	TRY(buf_status(to));
	*ret = p.at;
	return ST_OK;
}
