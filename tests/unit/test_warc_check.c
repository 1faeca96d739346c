#include "warc/warc_check.h"

#include <string.h>
#include <zstd.h>

#include "base/encode.h"
#include "test.h"

/* The three records of a capture, and a revisit of it; all well-formed. */
static struct record_id ids[4];

static void make_good(struct encoder *e, struct buf *to)
{
	struct str head = STR("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"
			      "Content-Length: 11\r\n\r\n");
	uint8_t sha1[SHA1_BYTES];

	for (size_t i = 0; i < COUNT(ids); i++)
		ids[i] = id_maker_next(&e->ids);
	digest_of(&e->payload, STR("<p>body</p>"), sha1);
	struct record_fields info = { .type = WARC_WARCINFO,
				      .id = &ids[0],
				      .content_type = STR("application/warc-fields"),
				      .filename = STR("good.warc") };
	struct record_fields response = { .type = WARC_RESPONSE,
					  .id = &ids[1],
					  .uri = STR("http://example.org/"),
					  .ip = STR("203.0.113.7"),
					  .payload_sha1 = sha1,
					  .content_type = STR(
						  "application/http; msgtype=response") };
	struct record_fields request = { .type = WARC_REQUEST,
					 .id = &ids[2],
					 .uri = STR("http://example.org/"),
					 .concurrent_to = &ids[1],
					 .content_type = STR(
						 "application/http; msgtype=request") };
	struct record_fields revisit = {
		.type = WARC_REVISIT,
		.id = &ids[3],
		.uri = STR("http://example.org/again"),
		.payload_sha1 = sha1,
		.truncated = STR("length"),
		.content_type = STR("application/http; msgtype=response"),
		.profile = STR("http://netpreserve.org/warc/1.1/revisit/"
			       "identical-payload-digest"),
		.refers_to_id = record_id_str(&ids[1]),
		.refers_to_uri = STR("http://example.org/"),
		.refers_to_ms = 1
	};

	encoder_add(e, &info, STR("software: test\r\n"), STR(""), to);
	encoder_add(e, &response, head, STR("<p>body</p>"), to);
	encoder_add(e, &request, STR("GET / HTTP/1.1\r\nHost: example.org\r\n\r\n"),
		    STR(""), to);
	encoder_add(e, &revisit, head, STR(""), to);
}

static struct buf good_plain, good_gzip;
static uint64_t starts[5]; /* of the records in good_plain; the last is its end */

static void make_all(void)
{
	struct encoder e;

	encoder_init(&e, &(struct encoder_options){ .format = MEMBER_PLAIN,
						    .ids = { { 1 }, { 2 } } });
	make_good(&e, &good_plain);
	encoder_release(&e);
	encoder_init(&e, &(struct encoder_options){ .format = MEMBER_GZIP,
						    .ids = { { 1 }, { 2 } } });
	make_good(&e, &good_gzip);
	encoder_release(&e);
	for (size_t i = 0, at = 0; i < 4; i++) {
		starts[i] = at;
		size_t next = str_find(str_skip(buf_str(&good_plain), at + 1),
				       STR("WARC/1.1\r\n"));
		at = next == STR_NONE ? good_plain.n : at + 1 + next;
	}
	starts[4] = good_plain.n;
}

struct log {
	struct buf text;
};

static void note(void *arg, const struct check_finding *f)
{
	struct log *log = arg;

	buf_addf(&log->text, "%s:%llu: %s: " STR_FMT "\n", f->path,
		 (unsigned long long)f->offset, f->is_error ? "error" : "warning",
		 STR_ARG(f->what));
}

static struct log last;

/* All findings of one file, in `last`. */
static void check_bytes(struct str bytes)
{
	struct warc_check c;

	buf_reset(&last.text);
	warc_check_init(&c, note, &last);
	warc_check_bytes(&c, bytes, "f");
	warc_check_end(&c);
	warc_check_release(&c);
}

/* Is this found, and nothing else? */
static bool only(uint64_t offset, const char *what)
{
	char line[300];

	snprintf(line, sizeof(line), "f:%llu: %s\n", (unsigned long long)offset, what);
	bool same = strcmp(buf_cstr(&last.text), line) == 0;
	if (!same)
		printf("# want %s# got %s", line, buf_cstr(&last.text));
	return same;
}

/* Among others; `says` is the beginning. */
static bool also(uint64_t offset, const char *says)
{
	char line[300];

	snprintf(line, sizeof(line), "f:%llu: %s", (unsigned long long)offset, says);
	bool there = strstr(buf_cstr(&last.text), line) != NULL;
	if (!there)
		printf("# want %s\n# got %s", line, buf_cstr(&last.text));
	return there;
}

/* Record `nr` of the good file with the first `from` in it replaced. */
static void plant(unsigned nr, const char *from, const char *to)
{
	struct buf b = { 0 };
	struct str all = buf_str(&good_plain);
	size_t found = str_find(str_skip(all, starts[nr]), str_from(from));
	size_t at = starts[nr] + found;

	if (found == STR_NONE) {
		printf("# nothing to replace: %s\n", from);
		test_failed = 1;
		return;
	}

	buf_add(&b, str_slice(all, 0, at));
	buf_add(&b, str_from(to));
	buf_add(&b, str_skip(all, at + strlen(from)));
	check_bytes(buf_str(&b));
	buf_release(&b);
}

static void a_good_file_has_no_findings(void)
{
	check_bytes(buf_str(&good_plain));
	CHECK(last.text.n == 0);
	check_bytes(buf_str(&good_gzip));
	CHECK(last.text.n == 0);
}

static void bad_digests(void)
{
	plant(1, "<p>body</p>", "<p>BODY</p>");
	CHECK(also(starts[1], "error: WARC-Block-Digest does not match the block"));
	CHECK(also(starts[1], "error: WARC-Payload-Digest does not match the payload"));
	plant(1, "WARC-Block-Digest: sha1:", "WARC-Block-Digest: sha1:777");
	CHECK(only(starts[1], "error: WARC-Block-Digest cannot be read"));
	plant(1, "WARC-Block-Digest: sha1:", "WARC-Block-Digest: tiger:");
	CHECK(only(starts[1],
		   "warning: WARC-Block-Digest is of an algorithm that is not checked"));
}

static void bad_lengths(void)
{
	plant(1, "Content-Length: 75", "Content-Length: 74");
	CHECK(also(starts[1], "error: Content-Length is wrong"));
	plant(1, "Content-Length: 75", "Content-Length: 76");
	CHECK(also(starts[1], "error: Content-Length is wrong"));
	plant(1, "Content-Length: 75", "Content-Length: 7x");
	CHECK(also(starts[1], "error: Content-Length is missing or no number"));
	plant(3, "Content-Length: 64", "Content-Length: 6400");
	CHECK(also(starts[3], "error: torn tail: the file ends inside a block"));
	plant(1, "Content-Length: 11\r\n", "Content-Length: 12\r\n");
	CHECK(also(starts[1],
		   "warning: the HTTP Content-Length is 12, but 11 bytes are there"));
}

static void missing_and_misplaced_fields(void)
{
	plant(1, "WARC-Type: response\r\n", "");
	CHECK(also(starts[1], "error: WARC-Type is missing"));
	plant(1, "WARC-Date: 1970-01-01T00:00:00.000Z\r\n", "");
	CHECK(only(starts[1], "error: WARC-Date is missing"));
	plant(1, "WARC-Target-URI: http://example.org/\r\n", "");
	CHECK(only(starts[1], "error: WARC-Target-URI is missing"));
	plant(1, "WARC-Record-ID:", "X-Record-ID:");
	CHECK(also(starts[1], "error: WARC-Record-ID is missing"));
	plant(3, "WARC-Profile:", "X-Profile:");
	CHECK(only(starts[3], "error: WARC-Profile is missing"));
	plant(3, "WARC-Payload-Digest:", "X-Payload-Digest:");
	CHECK(only(
		starts[3],
		"error: a revisit for an identical payload without WARC-Payload-Digest"));
	plant(0, "WARC-Filename:", "WARC-Target-URI:");
	CHECK(also(0, "error: WARC-Target-URI does not belong in a warcinfo record"));
	plant(1, "WARC-IP-Address:", "WARC-Filename: x\r\nWARC-IP-Address:");
	CHECK(only(starts[1],
		   "error: WARC-Filename does not belong in a response record"));
	plant(1,
	      "WARC-IP-Address:", "warc-date: 2026-01-01T00:00:00Z\r\nWARC-IP-Address:");
	CHECK(only(starts[1], "error: WARC-Date stands there 2 times"));
	plant(1, "Content-Type: application/http", "X-Type: application/http");
	CHECK(also(starts[1], "warning: Content-Type is missing"));
}

static void bad_values(void)
{
	plant(1, "1970-01-01T00:00:00.000Z", "1970-02-30T00:00:00Z");
	CHECK(only(starts[1],
		   "error: WARC-Date is not a UTC date: 1970-02-30T00:00:00Z"));
	plant(1, "1970-01-01T00:00:00.000Z", "1970-01-01T00:00:00+01:00");
	CHECK(only(starts[1],
		   "error: WARC-Date is not a UTC date: 1970-01-01T00:00:00+01:00"));
	plant(1, "WARC/1.1\r\n", "WARC/1.0\r\n");
	CHECK(only(starts[1],
		   "error: WARC-Date is not in whole seconds, as WARC/1.0 wants"));
	plant(1, "WARC/1.1\r\n", "WARC/9.9\r\n");
	CHECK(only(starts[1], "error: unknown version: WARC/9.9"));
	plant(1, "203.0.113.7", "203.0.113.777");
	CHECK(only(starts[1], "error: WARC-IP-Address is not an address"));
	plant(3, "WARC-Truncated: length", "WARC-Truncated: a bit");
	CHECK(only(starts[3], "error: WARC-Truncated is none of length, time, "
			      "disconnect, unspecified"));
	plant(1, "WARC-Target-URI: http://example.org/",
	      "WARC-Target-URI: http://example.org/a b");
	CHECK(only(starts[1], "error: WARC-Target-URI holds white space"));
	plant(1, "WARC-Target-URI: http://example.org/",
	      "WARC-Target-URI: <http://example.org/>");
	CHECK(only(starts[1], "warning: WARC-Target-URI stands in angle brackets"));
	plant(1, "WARC-Target-URI: http://example.org/", "WARC-Target-URI: /path");
	CHECK(only(starts[1], "error: WARC-Target-URI is not absolute"));
	plant(1, "WARC-Type: response", "WARC-Type: novelty");
	CHECK(also(starts[1], "warning: unknown WARC-Type: readers pass over it"));
	plant(1, "WARC-IP-Address: 203.0.113.7", "no colon in this line");
	CHECK(only(starts[1], "error: a header line without a colon"));
	plant(3, "identical-payload-digest", "almost-the-same");
	CHECK(only(starts[3],
		   "warning: a revisit of an unknown profile: readers pass over it"));
	plant(1, "HTTP/1.1 200 OK", "gone with it 200");
	CHECK(also(starts[1], "error: the block is not an HTTP response"));
}

static void broken_promises_between_records(void)
{
	char id[64], other[64];

	snprintf(id, sizeof(id), "WARC-Record-ID: <urn:uuid:%.36s>", ids[2].text);
	snprintf(other, sizeof(other), "WARC-Record-ID: <urn:uuid:%.36s>", ids[1].text);
	plant(2, id, other);
	CHECK(also(starts[2], "error: WARC-Record-ID was used before, in f at "));
	plant(1, "WARC-Record-ID: <urn:uuid:", "WARC-Record-ID: <urn:uuid:0");
	CHECK(also(
		starts[2] + 1,
		"error: WARC-Concurrent-To names a record that is not in these files"));
	CHECK(also(starts[3] + 1,
		   "warning: WARC-Refers-To names a record that is not in these files"));
	plant(1, "WARC-Record-ID: <urn:uuid:", "WARC-Record-ID: urn:uuid:");
	CHECK(also(starts[1], "error: WARC-Record-ID is not a URI in angle brackets"));
	snprintf(id, sizeof(id), "WARC-Refers-To: <urn:uuid:%.36s>", ids[1].text);
	snprintf(other, sizeof(other), "WARC-Refers-To: <urn:uuid:%.36s>", ids[3].text);
	plant(3, id, other);
	CHECK(only(starts[3], "error: a revisit that refers to another revisit"));
}

static void torn_tails_of_every_length(void)
{
	for (size_t n = starts[3] + 1; n < good_plain.n; n++) {
		check_bytes(str_slice(buf_str(&good_plain), 0, n));
		CHECK(also(starts[3], "error: "));
	}
	uint64_t tail = 0;
	struct warc_reader r;
	struct warc_record *rec;
	warc_reader_init(&r, buf_str(&good_gzip));
	while (warc_next(&r, &rec, NULL) == ST_OK)
		tail = rec->offset;
	warc_reader_release(&r);
	for (size_t n = tail + 1; n < good_gzip.n; n++) {
		check_bytes(str_slice(buf_str(&good_gzip), 0, n));
		CHECK(also(tail, "error: torn tail: "));
	}
	check_bytes(STR(""));
	CHECK(only(0, "error: the file is empty"));
}

static void one_gzip_member_for_the_whole_file(void)
{
	struct member_writer w;
	struct buf b = { 0 };

	member_writer_init(&w, MEMBER_GZIP);
	member_add(&w, buf_str(&good_plain), &b);
	check_bytes(buf_str(&b));
	CHECK(also(0, "error: not in a gzip member of its own: cannot be read from its "
		      "offset"));
	/* A record in two members: the seam is in the second record's block. */
	buf_reset(&b);
	member_add(&w, str_slice(buf_str(&good_plain), 0, starts[2] - 10), &b);
	member_add(&w, str_slice(buf_str(&good_plain), starts[2] - 10, good_plain.n), &b);
	check_bytes(buf_str(&b));
	CHECK(also(0, "error: goes over the end of its gzip member"));
	member_writer_release(&w);
	buf_release(&b);
}

static void zstd_frames_without_size_or_checksum(void)
{
	struct buf b = { 0 };
	char frame[4096];
	ZSTD_CCtx *z = ZSTD_createCCtx();
	struct str info = str_slice(buf_str(&good_plain), 0, starts[1]);

	ZSTD_CCtx_setParameter(z, ZSTD_c_checksumFlag, 1);
	size_t n = ZSTD_compress2(z, frame, sizeof(frame), info.p, info.n);
	buf_add(&b, (struct str){ frame, n });
	check_bytes(buf_str(&b));
	CHECK(last.text.n == 0);
	buf_reset(&b);
	ZSTD_CCtx_setParameter(z, ZSTD_c_checksumFlag, 0);
	ZSTD_CCtx_setParameter(z, ZSTD_c_contentSizeFlag, 0);
	n = ZSTD_compress2(z, frame, sizeof(frame), info.p, info.n);
	buf_add(&b, (struct str){ frame, n });
	check_bytes(buf_str(&b));
	CHECK(also(0, "warning: the zstd frame does not tell its size"));
	CHECK(also(0, "warning: the zstd frame has no checksum"));
	ZSTD_freeCCtx(z);
	buf_release(&b);
}

static void every_flipped_bit_of_a_gzip_file_is_found(void)
{
	struct buf b = { 0 };
	unsigned missed = 0;

	for (size_t i = 0; i < good_gzip.n; i++) {
		struct warc_check c;

		buf_reset(&b);
		buf_add(&b, buf_str(&good_gzip));
		b.p[i] = (char)(b.p[i] ^ 0x10);
		buf_reset(&last.text);
		warc_check_init(&c, note, &last);
		warc_check_bytes(&c, buf_str(&b), "f");
		warc_check_end(&c);
		missed += c.errors == 0;
		warc_check_release(&c);
	}
	buf_release(&b);
	/* Flags, time and system in gzip's own header (7 bytes), and the bits that fill
	 * up the last byte of the deflate stream, mean nothing and are not covered. */
	CHECK(missed <= 4 * 8);
}

static void reading_goes_on_behind_damage(void)
{
	struct buf b = { 0 };
	struct warc_check c;

	buf_add(&b, buf_str(&good_gzip));
	b.p[20] = (char)(b.p[20] ^ 0x55);
	buf_reset(&last.text);
	warc_check_init(&c, note, &last);
	warc_check_bytes(&c, buf_str(&b), "f");
	warc_check_end(&c);
	CHECK(c.records >= 3 && c.errors >= 1);
	warc_check_release(&c);
	buf_release(&b);
}

int main(void)
{
	make_all();
	RUN(a_good_file_has_no_findings);
	RUN(bad_digests);
	RUN(bad_lengths);
	RUN(missing_and_misplaced_fields);
	RUN(bad_values);
	RUN(broken_promises_between_records);
	RUN(torn_tails_of_every_length);
	RUN(one_gzip_member_for_the_whole_file);
	RUN(zstd_frames_without_size_or_checksum);
	RUN(every_flipped_bit_of_a_gzip_file_is_found);
	RUN(reading_goes_on_behind_damage);
	buf_release(&good_plain);
	buf_release(&good_gzip);
	buf_release(&last.text);
	DONE();
}
