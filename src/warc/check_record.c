#include "warc/check_internal.h"

#include <string.h>

#include "base/alloc.h"
#include "base/date.h"
#include "base/hash.h"
#include "url/host.h"
#include "warc/stored_head.h"

/* What the standard says of a field in a record of a type (5.1 to 5.20, 6). */
enum { MAY, MUST, NEVER };

#define TYPES 8 /* in the order of enum warc_type, up to continuation */

/*   warcinfo response request metadata revisit resource conversion continuation */
static const struct {
	const char *name;
	uint8_t rule[TYPES];
	bool repeats;
} rules[] = {
	{ "WARC-Type", { MUST, MUST, MUST, MUST, MUST, MUST, MUST, MUST }, false },
	{ "WARC-Record-ID", { MUST, MUST, MUST, MUST, MUST, MUST, MUST, MUST }, false },
	{ "WARC-Date", { MUST, MUST, MUST, MUST, MUST, MUST, MUST, MUST }, false },
	{ "Content-Length", { MUST, MUST, MUST, MUST, MUST, MUST, MUST, MUST }, false },
	{ "Content-Type", { MAY, MAY, MAY, MAY, MAY, MAY, MAY, NEVER }, false },
	{ "WARC-Target-URI", { NEVER, MUST, MUST, MAY, MUST, MUST, MUST, MUST }, false },
	{ "WARC-Concurrent-To", { NEVER, MAY, MAY, MAY, MAY, MAY, NEVER, NEVER }, true },
	{ "WARC-Protocol", { MAY, MAY, MAY, MAY, MAY, MAY, MAY, MAY }, true },
	{ "WARC-IP-Address", { NEVER, MAY, MAY, MAY, MAY, MAY, NEVER, NEVER }, false },
	{ "WARC-Refers-To", { NEVER, NEVER, NEVER, MAY, MAY, NEVER, MAY, NEVER }, false },
	{ "WARC-Refers-To-Target-URI",
	  { NEVER, NEVER, NEVER, MAY, MAY, NEVER, MAY, NEVER },
	  false },
	{ "WARC-Refers-To-Date",
	  { NEVER, NEVER, NEVER, MAY, MAY, NEVER, MAY, NEVER },
	  false },
	{ "WARC-Warcinfo-ID", { NEVER, MAY, MAY, MAY, MAY, MAY, MAY, MAY }, false },
	{ "WARC-Filename",
	  { MAY, NEVER, NEVER, NEVER, NEVER, NEVER, NEVER, NEVER },
	  false },
	{ "WARC-Profile",
	  { NEVER, NEVER, NEVER, NEVER, MUST, NEVER, NEVER, NEVER },
	  false },
	{ "WARC-Segment-Number", { NEVER, MAY, MAY, MAY, MAY, MAY, MAY, MUST }, false },
	{ "WARC-Segment-Origin-ID",
	  { NEVER, NEVER, NEVER, NEVER, NEVER, NEVER, NEVER, MUST },
	  false },
	{ "WARC-Segment-Total-Length",
	  { NEVER, NEVER, NEVER, NEVER, NEVER, NEVER, NEVER, MAY },
	  false },
	{ "WARC-Block-Digest", { MAY, MAY, MAY, MAY, MAY, MAY, MAY, MAY }, false },
	{ "WARC-Payload-Digest", { MAY, MAY, MAY, MAY, MAY, MAY, MAY, MAY }, false },
	{ "WARC-Truncated", { MAY, MAY, MAY, MAY, MAY, MAY, MAY, MAY }, false },
	{ "WARC-Identified-Payload-Type",
	  { NEVER, MAY, MAY, MAY, MAY, MAY, MAY, MAY },
	  false },
};

static unsigned count_field(const struct warc_record *rec, struct str name)
{
	unsigned n = 0;

	for (size_t i = 0; i < rec->field_count; i++)
		n += str_eq_nocase(rec->fields[i].name, name);
	return n;
}

static void check_presence(struct warc_check *c, const struct warc_record *rec)
{
	for (size_t i = 0; i < COUNT(rules); i++) {
		unsigned n = count_field(rec, str_from(rules[i].name));
		/* Of an unknown type only what all types must have is known. */
		unsigned rule = rules[i].rule[MIN((unsigned)rec->type, TYPES - 1u)];

		if (rec->type == WARC_UNKNOWN && i > 3)
			rule = MAY;
		if (n == 0 && rule == MUST)
			check_error(c, "%s is missing", rules[i].name);
		if (n > 0 && rule == NEVER)
			check_error(c, "%s does not belong in a " STR_FMT " record",
				    rules[i].name, STR_ARG(warc_type_name(rec->type)));
		if (n > 1 && !rules[i].repeats)
			check_error(c, "%s stands there %u times", rules[i].name, n);
	}
}

static bool is_bracketed_uri(struct str value)
{
	struct str bare = warc_bare_uri(value);
	size_t colon = str_find_char(bare, ':');

	if (bare.n == value.n || colon == STR_NONE || colon == 0)
		return false;
	for (size_t i = 0; i < bare.n; i++)
		if ((uint8_t)bare.p[i] <= ' ' || bare.p[i] == '<' || bare.p[i] == '>')
			return false;
	return true;
}

static uint64_t id_hash(struct str value)
{
	return hash64(warc_bare_uri(value));
}

static void check_id(struct warc_check *c, const struct warc_record *rec)
{
	struct str id = warc_field(rec, STR("WARC-Record-ID"));
	bool is_new;

	if (id.n == 0)
		return;
	if (!is_bracketed_uri(id))
		check_error(c, "WARC-Record-ID is not a URI in angle brackets");
	uint64_t *at = map_add(&c->ids, id_hash(id), &is_new);
	if (!is_new) {
		const struct check_seen *first = &c->seen[*at];

		check_error(c, "WARC-Record-ID was used before, in %s at %llu",
			    intern_str(&c->paths, first->path).p,
			    (unsigned long long)first->offset);
		return;
	}
	*at = c->seen_count;
	VEC_ADD(c->seen, c->seen_count, c->seen_cap,
		(struct check_seen){ c->path, rec->type, rec->offset });
}

/* What is named need not have been read yet: looked up at the end. */
static void remember_promises(struct warc_check *c, const struct warc_record *rec)
{
	for (size_t i = 0; i < rec->field_count; i++) {
		struct str name = rec->fields[i].name, value = rec->fields[i].value;
		bool revisit = rec->type == WARC_REVISIT &&
			       str_eq_nocase(name, STR("WARC-Refers-To"));

		if (!revisit && !str_eq_nocase(name, STR("WARC-Concurrent-To")))
			continue;
		if (!is_bracketed_uri(value))
			check_error(c, STR_FMT " is not a URI in angle brackets",
				    STR_ARG(name));
		VEC_ADD(c->promises, c->promise_count, c->promise_cap,
			(struct check_promise){ id_hash(value), rec->offset, c->path,
						revisit });
	}
}

/* 1.0 allows whole seconds only; 1.1 a fraction too, and less than a full date. */
static void check_date(struct warc_check *c, const struct warc_record *rec,
		       struct str name)
{
	struct str date = warc_field(rec, name);
	bool old = str_eq(rec->version, STR("WARC/1.0"));
	int64_t ms;

	if (date.n == 0)
		return;
	if (!date_parse_iso(date, &ms) || (date.n > 10 && !str_ends(date, STR("Z"))))
		check_error(c, STR_FMT " is not a UTC date: " STR_FMT, STR_ARG(name),
			    STR_ARG(str_slice(date, 0, 60)));
	else if (old && date.n != 20)
		check_error(c, STR_FMT " is not in whole seconds, as WARC/1.0 wants",
			    STR_ARG(name));
}

static void check_uri(struct warc_check *c, const struct warc_record *rec)
{
	struct str uri = warc_field(rec, STR("WARC-Target-URI"));

	if (uri.n == 0)
		return;
	if (uri.p[0] == '<')
		check_warning(c, "WARC-Target-URI stands in angle brackets");
	else if (str_find_char(uri, ':') == STR_NONE)
		check_error(c, "WARC-Target-URI is not absolute");
	for (size_t i = 0; i < uri.n; i++)
		if ((uint8_t)uri.p[i] <= ' ') {
			check_error(c, "WARC-Target-URI holds white space");
			return;
		}
}

static void check_values(struct warc_check *c, const struct warc_record *rec)
{
	static const char *const words[] = { "length", "time", "disconnect",
					     "unspecified" };
	struct str truncated = warc_field(rec, STR("WARC-Truncated"));
	struct str ip = warc_field(rec, STR("WARC-IP-Address"));
	bool known = truncated.n == 0;
	struct ip parsed;

	for (size_t i = 0; i < COUNT(words); i++)
		known |= str_eq(truncated, str_from(words[i]));
	if (!known)
		check_error(c, "WARC-Truncated is none of length, time, disconnect, "
			       "unspecified");
	if (ip.n && ipv4_parse(ip, &parsed) != ST_OK && ipv6_parse(ip, &parsed) != ST_OK)
		check_error(c, "WARC-IP-Address is not an address");
	if (rec->block_bytes > 0 && rec->type != WARC_CONTINUATION &&
	    count_field(rec, STR("Content-Type")) == 0)
		check_warning(c, "Content-Type is missing");
}

static void check_revisit(struct warc_check *c, const struct warc_record *rec)
{
	struct str profile = warc_field(rec, STR("WARC-Profile"));

	if (rec->type != WARC_REVISIT || profile.n == 0)
		return;
	if (str_ends(profile, STR("/revisit/identical-payload-digest"))) {
		if (count_field(rec, STR("WARC-Payload-Digest")) == 0)
			check_error(c, "a revisit for an identical payload without "
				       "WARC-Payload-Digest");
		if (count_field(rec, STR("WARC-Refers-To")) == 0 &&
		    count_field(rec, STR("WARC-Refers-To-Target-URI")) == 0)
			check_warning(c, "a revisit that names no original");
	} else if (!str_ends(profile, STR("/revisit/server-not-modified"))) {
		check_warning(c, "a revisit of an unknown profile: readers pass over it");
	}
}

void check_header(struct warc_check *c, const struct warc_record *rec)
{
	if (!str_eq(rec->version, STR("WARC/1.1")) &&
	    !str_eq(rec->version, STR("WARC/1.0")))
		check_error(c, "unknown version: " STR_FMT,
			    STR_ARG(str_slice(rec->version, 0, 40)));
	check_presence(c, rec);
	if (rec->type == WARC_UNKNOWN && count_field(rec, STR("WARC-Type")))
		check_warning(c, "unknown WARC-Type: readers pass over it");
	check_id(c, rec);
	remember_promises(c, rec);
	check_date(c, rec, STR("WARC-Date"));
	check_date(c, rec, STR("WARC-Refers-To-Date"));
	check_uri(c, rec);
	check_values(c, rec);
	check_revisit(c, rec);
}

/* The digest that a field promises, started; NULL when there is none to compute. */
static struct digest *start_digest(struct warc_check *c, const struct warc_record *rec,
				   struct str name, unsigned which, uint8_t *want)
{
	struct str label = warc_field(rec, name);
	enum digest_kind kind;

	if (label.n == 0)
		return NULL;
	enum status st = digest_parse(label, &kind, want);
	if (st == ST_UNSUPPORTED)
		check_warning(c, STR_FMT " is of an algorithm that is not checked",
			      STR_ARG(name));
	else if (st != ST_OK)
		check_error(c, STR_FMT " cannot be read", STR_ARG(name));
	if (st != ST_OK)
		return NULL;
	struct digest *d = &c->digests[2 * kind + which];
	digest_start(d);
	return d;
}

void block_check_start(struct warc_check *c, struct block_check *b,
		       const struct warc_record *rec)
{
	*b = (struct block_check){ .head = BUF(WARC_HEADER_MAX) };
	b->block = start_digest(c, rec, STR("WARC-Block-Digest"), 0, b->want_block);
	b->is_http = str_starts_nocase(warc_field(rec, STR("Content-Type")),
				       STR("application/http"));
	b->in_head = b->is_http;
	/* The payload of a revisit is in the record that it refers to. */
	if (rec->type != WARC_REVISIT)
		b->payload = start_digest(c, rec, STR("WARC-Payload-Digest"), 1,
					  b->want_payload);
}

static void add_payload(struct block_check *b, struct str piece)
{
	b->body_bytes += piece.n;
	if (b->payload)
		digest_add(b->payload, piece);
}

void block_check_add(struct block_check *b, struct str piece)
{
	struct stored_head h;

	if (b->block)
		digest_add(b->block, piece);
	if (!b->in_head) {
		add_payload(b, piece);
		return;
	}
	size_t before = b->head.n;
	buf_add(&b->head, str_slice(piece, 0, WARC_HEADER_MAX - before));
	if (!stored_head_parse(buf_str(&b->head), &h))
		return;
	b->in_head = false;
	add_payload(b, str_skip(piece, h.all.n - before));
	b->head.n = h.all.n;
}

static bool is_chunked(const struct block_check *b)
{
	struct stored_head h;

	(void)stored_head_parse(buf_str(&b->head), &h);
	return str_find(stored_head_field(&h, STR("Transfer-Encoding")),
			STR("chunked")) != STR_NONE;
}

static void check_http(struct warc_check *c, const struct block_check *b,
		       const struct warc_record *rec)
{
	struct stored_head h;
	uint64_t length;
	bool truncated = count_field(rec, STR("WARC-Truncated")) > 0;

	if (!stored_head_parse(buf_str(&b->head), &h) && !truncated) {
		check_error(c, "the HTTP head does not end");
		return;
	}
	if (rec->type == WARC_RESPONSE && h.status == 0)
		check_error(c, "the block is not an HTTP response");
	if (rec->type != WARC_RESPONSE)
		return;
	struct str given = stored_head_field(&h, STR("Content-Length"));
	if (is_chunked(b))
		check_warning(c, "stored in chunks: readers disagree about the digest of "
				 "such a payload");
	else if (!truncated && str_to_uint(given, UINT64_MAX, &length) &&
		 length != b->body_bytes)
		check_warning(
			c, "the HTTP Content-Length is %llu, but %llu bytes are there",
			(unsigned long long)length, (unsigned long long)b->body_bytes);
}

void block_check_end(struct warc_check *c, struct block_check *b,
		     const struct warc_record *rec)
{
	uint8_t got[DIGEST_MAX_BYTES];

	if (b->block) {
		digest_end(b->block, got);
		if (memcmp(got, b->want_block, b->block->bytes) != 0)
			check_error(c, "WARC-Block-Digest does not match the block");
	}
	if (b->payload) {
		digest_end(b->payload, got);
		bool same = memcmp(got, b->want_payload, b->payload->bytes) == 0;

		/* Of chunks it may be the digest of what they make when joined. */
		if (!same && !is_chunked(b))
			check_error(c, "WARC-Payload-Digest does not match the payload");
	}
	if (b->is_http && rec->block_bytes > 0)
		check_http(c, b, rec);
}
