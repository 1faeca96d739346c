#include "archive/archive.h"
#include "warc/redact.h"

#include <string.h>

#include "archive_fixture.h"
#include "base/rng.h"
#include "os/fault.h"
#include "test.h"
#include "warc/stored_head.h"

static const struct archive_position nothing = { 0 };

/* Types of all records of a file joined by ' ', or '!' where it cannot be read. */
static void types_of(const char *path, struct buf *to)
{
	struct warc_reader r;
	struct warc_record *rec;
	struct diag why;
	enum status st;

	buf_reset(to);
	if (warc_reader_open(&r, path, &why) != ST_OK) {
		buf_add_char(to, '?');
		return;
	}
	while ((st = warc_next(&r, &rec, &why)) == ST_OK) {
		buf_add(to, warc_type_name(rec->type));
		buf_add_char(to, ' ');
	}
	if (st != ST_AGAIN)
		buf_add_char(to, '!');
	warc_reader_release(&r);
}

static bool types_are(const char *path, struct str want)
{
	struct buf got = { 0 };

	types_of(path, &got);
	bool same = str_eq(buf_str(&got), want);
	if (!same)
		printf("# got " STR_FMT "\n", STR_ARG(buf_str(&got)));
	buf_release(&got);
	return same;
}

static bool loads(const char *dir, const char *name, struct buf *to)
{
	struct arena a = { 0 };

	buf_reset(to);
	bool ok =
		file_load(path_join(&a, dir, str_from(name)), 1 << 20, to, NULL) == ST_OK;
	arena_release(&a);
	return ok;
}

/* Write one page with `options` and close. */
static bool write_one(const char *dir, const struct archive_options *options,
		      const struct capture_options *form)
{
	struct archive a;
	struct archive_position p;
	struct archive_place place;
	struct fetch_task t = fixture_task("https://example.org/page");
	struct fetch_result r = fixture_result(&t, STR("<p>hello</p>"));

	(void)dir;
	return archive_open(&a, options, &nothing, NULL, NULL) == ST_OK &&
	       fixture_add(&a, &r, form, &place) &&
	       archive_commit(&a, NULL, &p, NULL) == ST_OK &&
	       archive_close(&a, NULL) == ST_OK;
}

static void a_page_becomes_its_records(void)
{
	struct arena a = { 0 };
	const char *dir = tmp_path("one");
	struct archive_options o = fixture_options(dir);
	struct warc_reader r;
	struct warc_record *rec;
	struct str block;
	struct buf spare = { 0 };

	CHECK(write_one(dir, &o, &(struct capture_options){ 0 }));
	const char *path = fixture_warc(dir, &a);
	CHECK(strstr(path, "thresh-20261115033530123-00001-") &&
	      str_ends(str_from(path), STR(".warc.gz")));
	CHECK(types_are(path, STR("warcinfo response request metadata ")));
	CHECK(warc_reader_open(&r, path, NULL) == ST_OK);
	CHECK(warc_next(&r, &rec, NULL) == ST_OK && warc_next(&r, &rec, NULL) == ST_OK);
	CHECK(str_eq(rec->version, STR("WARC/1.1")) && rec->oddities == 0);
	CHECK(str_eq(warc_field(rec, STR("warc-date")), STR("2026-11-15T03:35:30.123Z")));
	CHECK(str_eq(warc_field(rec, STR("WARC-Target-URI")),
		     STR("https://example.org/page")));
	CHECK(str_eq(warc_field(rec, STR("WARC-IP-Address")), STR("203.0.113.7")));
	CHECK(str_eq(warc_field(rec, STR("WARC-Protocol")), STR("http/1.1")));
	CHECK(warc_block_whole(&r, 1 << 20, &spare, &block, NULL) == ST_OK);
	CHECK(str_eq(block,
		     STR("HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n"
			 "X-Kept: yes\r\nContent-Length: 12\r\n\r\n<p>hello</p>")));
	CHECK(warc_end(&r, NULL) == ST_OK && rec->oddities == 0 && rec->length > 0);
	warc_reader_release(&r);
	buf_release(&spare);
	arena_release(&a);
}

static void secrets_of_a_request_are_not_archived_unless_wanted(void)
{
	cleanup(buf_release) struct buf b = { 0 };
	struct str plain = STR("GET / HTTP/1.1\r\nHost: a\r\nX-Cookie: kept\r\n\r\n");

	CHECK(redact_request(plain, &b).p == plain.p);
	CHECK(str_eq(
		redact_request(STR("GET / HTTP/1.1\r\nHost: a\r\ncookie: s=1; t=2\r\n"
				   "Authorization: Basic dTpw\r\n"
				   "Proxy-Authorization: x\r\nAccept: */*\r\n\r\n"),
			       &b),
		STR("GET / HTTP/1.1\r\nHost: a\r\ncookie: [redacted]\r\n"
		    "Authorization: Basic [redacted]\r\n"
		    "Proxy-Authorization: [redacted]\r\nAccept: */*\r\n\r\n")));
	for (int keep = 0; keep < 2; keep++) {
		struct archive_options o =
			fixture_options(tmp_path(keep ? "kept" : "redacted"));
		struct fetch_task t = fixture_task("https://example.org/page");
		struct fetch_result r = fixture_result(&t, STR("x"));
		struct capture_options how = { .keep_secrets = keep };
		cleanup(encoder_release) struct encoder e = { 0 };
		cleanup(capture_release) struct capture c = { 0 };

		r.request = STR("GET /page HTTP/1.1\r\nCookie: secret=42\r\n\r\n");
		encoder_init(&e, &(struct encoder_options){ .ids = o.ids,
							    .format = MEMBER_PLAIN });
		CHECK(capture_encode(&e, &r, &how, &c, NULL) == ST_OK);
		bool there = str_find(buf_str(&c.bytes), STR("secret=42")) != STR_NONE;
		CHECK(there == (keep == 1));
	}
}

static void the_index_names_the_place(void)
{
	struct arena a = { 0 };
	const char *dir = tmp_path("one");
	struct buf index = { 0 };
	struct warc_reader r;
	struct warc_record *rec;
	uint64_t offset, length;

	CHECK(loads(dir, "indexes/index.cdxj", &index));
	CHECK(str_starts(buf_str(&index),
			 STR("org,example)/page 20261115033530 {\"url\": "
			     "\"https://example.org/page\", \"mime\": \"text/html\", "
			     "\"status\": \"200\", \"digest\": \"sha1:")));
	const char *at = strstr(buf_cstr(&index), "\"offset\": \"");
	const char *size = strstr(buf_cstr(&index), "\"length\": \"");
	CHECK(at && size);
	offset = strtoull(at + 11, NULL, 10);
	length = strtoull(size + 11, NULL, 10);
	CHECK(warc_reader_open(&r, fixture_warc(dir, &a), NULL) == ST_OK);
	warc_seek(&r, offset);
	CHECK(warc_next(&r, &rec, NULL) == ST_OK && rec->type == WARC_RESPONSE);
	CHECK(warc_end(&r, NULL) == ST_OK && rec->length == length);
	warc_reader_release(&r);
	buf_release(&index);
	arena_release(&a);
}

static void a_revisit_has_no_body_and_names_its_origin(void)
{
	struct arena a = { 0 };
	const char *dir = tmp_path("revisit");
	struct archive_options o = fixture_options(dir);
	struct capture_origin origin = { STR("https://example.org/first"),
					 FIXTURE_MS - 1000,
					 STR("01234567-89ab-4cde-8f01-23456789abcd") };
	struct warc_reader r;
	struct warc_record *rec;

	CHECK(write_one(dir, &o,
			&(struct capture_options){ .form = CAPTURE_SAME_DIGEST,
						   .origin = &origin }));
	CHECK(warc_reader_open(&r, fixture_warc(dir, &a), NULL) == ST_OK);
	CHECK(warc_next(&r, &rec, NULL) == ST_OK && warc_next(&r, &rec, NULL) == ST_OK);
	CHECK(rec->type == WARC_REVISIT && rec->block_bytes == 92);
	CHECK(str_eq(
		warc_field(rec, STR("WARC-Profile")),
		STR("http://netpreserve.org/warc/1.1/revisit/identical-payload-digest")));
	CHECK(str_eq(warc_field(rec, STR("WARC-Refers-To-Target-URI")),
		     STR("https://example.org/first")));
	CHECK(str_eq(warc_field(rec, STR("WARC-Refers-To-Date")),
		     STR("2026-11-15T03:35:29.123Z")));
	CHECK(str_eq(warc_field(rec, STR("WARC-Refers-To")),
		     STR("<urn:uuid:01234567-89ab-4cde-8f01-23456789abcd>")));
	CHECK(str_eq(warc_field(rec, STR("WARC-Truncated")), STR("length")));
	CHECK(warc_field(rec, STR("WARC-Payload-Digest")).n == 37);
	warc_reader_release(&r);
	arena_release(&a);
}

static void all_formats_and_both_versions_are_read_back(void)
{
	static const enum member_format formats[] = { MEMBER_GZIP, MEMBER_ZSTD,
						      MEMBER_PLAIN };
	char name[16];

	for (unsigned i = 0; i < 6; i++) {
		struct arena a = { 0 };

		snprintf(name, sizeof(name), "format%u", i);
		const char *dir = tmp_path(name);
		struct archive_options o = fixture_options(dir);
		o.format = formats[i % 3];
		o.version = i < 3 ? WARC_1_1 : WARC_1_0;
		CHECK(write_one(dir, &o, &(struct capture_options){ 0 }));
		CHECK(types_are(fixture_warc(dir, &a),
				STR("warcinfo response request metadata ")));
		arena_release(&a);
	}
}

static void a_failed_fetch_is_kept_as_metadata(void)
{
	struct arena names = { 0 };
	struct archive a;
	struct archive_place place;
	const char *dir = tmp_path("failed");
	struct archive_options o = fixture_options(dir);
	struct fetch_task t = fixture_task("https://nowhere.example/\r\nX: y");
	struct fetch_result r = { .task = &t,
				  .code = FETCH_DNS_FAILED,
				  .error = STR("no such\r\nhost"),
				  .start_ms = FIXTURE_MS };
	struct warc_reader reader;
	struct warc_record *rec;
	struct buf spare = { 0 };
	struct str block;

	CHECK(archive_open(&a, &o, &nothing, NULL, NULL) == ST_OK);
	CHECK(fixture_add(&a, &r, &(struct capture_options){ 0 }, &place));
	CHECK(archive_close(&a, NULL) == ST_OK);
	CHECK(types_are(fixture_warc(dir, &names), STR("warcinfo metadata ")));
	CHECK(warc_reader_open(&reader, fixture_warc(dir, &names), NULL) == ST_OK);
	warc_seek(&reader, place.offset);
	CHECK(warc_next(&reader, &rec, NULL) == ST_OK);
	CHECK(str_eq(warc_field(rec, STR("WARC-Target-URI")),
		     STR("https://nowhere.example/%0D%0AX:%20y")));
	CHECK(warc_field(rec, STR("X")).n == 0);
	CHECK(warc_block_whole(&reader, 1 << 20, &spare, &block, NULL) == ST_OK);
	CHECK(str_find(block, STR("fetchStatus: -1\r\nerror: no such  host\r\n")) !=
	      STR_NONE);
	warc_reader_release(&reader);
	buf_release(&spare);
	arena_release(&names);
}

/* A body of `n` bytes that hardly compresses, in a file. */
static bool make_spool(const char *path, size_t n)
{
	struct rng rng = { n };
	struct buf b = { 0 };

	for (size_t i = 0; i < n / 8; i++)
		buf_add_u64(&b, rng_next(&rng));
	bool ok = file_save(path, buf_str(&b), NULL) == ST_OK;
	buf_release(&b);
	return ok;
}

static void a_spooled_body_streams_through(void)
{
	static const enum member_format formats[] = { MEMBER_GZIP, MEMBER_ZSTD,
						      MEMBER_PLAIN };
	const size_t n = 20000000; /* more than the decoder takes at once */

	CHECK(make_spool(tmp_path("spool"), n));
	for (unsigned i = 0; i < 3; i++) {
		struct arena names = { 0 };
		struct archive a;
		struct archive_place place;
		char name[16];
		struct digest sha1;
		uint8_t got[SHA1_BYTES], want[SHA1_BYTES];

		snprintf(name, sizeof(name), "spooled%u", i);
		const char *dir = tmp_path(name);
		struct archive_options o = fixture_options(dir);
		o.format = formats[i];
		struct fetch_task t = fixture_task("https://example.org/big");
		struct fetch_result r = fixture_result(&t, STR(""));
		r.spool = str_from(tmp_path("spool"));
		r.body_bytes = n;
		CHECK(archive_open(&a, &o, &nothing, NULL, NULL) == ST_OK);
		CHECK(capture_payload_sha1(&a.encoder, &r, want, NULL) == ST_OK);
		CHECK(fixture_add(&a, &r, &(struct capture_options){ 0 }, &place));
		CHECK(archive_close(&a, NULL) == ST_OK);
		const char *path = fixture_warc(dir, &names);
		CHECK(types_are(path, STR("warcinfo response request metadata ")));

		struct warc_reader reader;
		struct warc_record *rec;
		struct str piece;
		struct stored_head head;
		bool first = true;
		CHECK(warc_reader_open(&reader, path, NULL) == ST_OK);
		warc_seek(&reader, place.offset);
		CHECK(warc_next(&reader, &rec, NULL) == ST_OK);
		digest_init(&sha1, DIGEST_SHA1);
		digest_start(&sha1);
		while (warc_block(&reader, &piece, NULL) == ST_OK) {
			if (first)
				CHECK(stored_head_parse(piece, &head));
			digest_add(&sha1, first ? str_skip(piece, head.all.n) : piece);
			first = false;
		}
		digest_end(&sha1, got);
		digest_release(&sha1);
		CHECK(memcmp(got, want, SHA1_BYTES) == 0);
		CHECK(warc_end(&reader, NULL) == ST_OK && rec->length == place.length);
		warc_reader_release(&reader);
		arena_release(&names);
	}
}

static void files_rotate_and_each_begins_with_a_warcinfo(void)
{
	struct archive a;
	struct archive_place place;
	struct arena names = { 0 };
	struct str_list files = { 0 };
	const char *dir = tmp_path("rotate");
	struct archive_options o = fixture_options(dir);
	struct fetch_task t = fixture_task("https://example.org/page");
	struct fetch_result r = fixture_result(&t, STR("<p>hello</p>"));

	o.rotate_bytes = 3000;
	CHECK(archive_open(&a, &o, &nothing, NULL, NULL) == ST_OK);
	for (unsigned i = 0; i < 10; i++)
		CHECK(fixture_add(&a, &r, &(struct capture_options){ 0 }, &place));
	char *folder = path_join(&names, dir, STR("archive"));
	CHECK(dir_list(folder, STR(".open"), &names, &files, NULL) == ST_OK &&
	      files.n == 1);
	str_list_release(&files);
	CHECK(archive_close(&a, NULL) == ST_OK);
	CHECK(dir_list(folder, STR(".open"), &names, &files, NULL) == ST_OK &&
	      files.n == 0);
	str_list_release(&files);
	CHECK(dir_list(folder, STR(".warc.gz"), &names, &files, NULL) == ST_OK &&
	      files.n > 3);
	for (size_t i = 0; i < files.n; i++) {
		struct buf got = { 0 };

		types_of(path_join(&names, folder, files.v[i]), &got);
		CHECK(str_starts(buf_str(&got),
				 STR("warcinfo response request metadata ")));
		CHECK(str_find(str_skip(buf_str(&got), 1), STR("warcinfo")) == STR_NONE);
		buf_release(&got);
	}
	str_list_release(&files);
	arena_release(&names);
}

static void a_full_disk_leaves_whole_records(void)
{
	struct archive a;
	struct arena names = { 0 };
	struct archive_place place;
	const char *dir = tmp_path("full");
	struct archive_options o = fixture_options(dir);
	struct fetch_task t = fixture_task("https://example.org/page");
	cleanup(buf_release) struct buf body = { 0 }, types = { 0 };
	struct capture_options form = { 0 };
	struct rng random = { 7 };
	unsigned n = 1;

	for (size_t i = 0; i < 100000 / 8; i++)
		buf_add_u64(&body, rng_next(&random));
	struct fetch_result r = fixture_result(&t, buf_str(&body));
	CHECK(archive_open(&a, &o, &nothing, NULL, NULL) == ST_OK);
	CHECK(fixture_add(&a, &r, &form, &place));
	CHECK(fault_set(STR("fail-write=1+:ENOSPC"), NULL) == ST_OK);
	/* Some wait in memory; the one with which they are written is refused. */
	while (n < 9 && fixture_add(&a, &r, &form, &place))
		n++;
	CHECK(n > 1 && n < 9);
	CHECK(!fixture_add(&a, &r, &form, &place));
	struct archive_position at;
	CHECK(archive_commit(&a, NULL, &at, NULL) != ST_OK);
	CHECK(fault_set(STR(""), NULL) == ST_OK);
	CHECK(fixture_add(&a, &r, &form, &place));
	CHECK(archive_close(&a, NULL) == ST_OK);
	buf_add(&types, STR("warcinfo "));
	for (unsigned i = 0; i < n + 1; i++)
		buf_add(&types, STR("response request metadata "));
	CHECK(types_are(fixture_warc(dir, &names), buf_str(&types)));
	arena_release(&names);
}

/* Made two at a time they are what they are one by one, and each stands in its place. */
static void digests_of_a_pair_equal_those_of_each(void)
{
	struct encoder e;
	struct fetch_task t = fixture_task("https://example.org/");
	struct fetch_result a = fixture_result(&t, STR("one body")),
			    b = fixture_result(&t, STR("the other one"));
	uint8_t got[2][SHA1_BYTES], want[2][SHA1_BYTES], payload[SHA1_BYTES],
		block[SHA1_BYTES];
	struct capture plain = { 0 }, known = { 0 };

	encoder_init(&e, &(struct encoder_options){ .version = WARC_1_1,
						    .format = MEMBER_PLAIN });
	CHECK(capture_payload_sha1(&e, &a, want[0], NULL) == ST_OK);
	CHECK(capture_payload_sha1(&e, &b, want[1], NULL) == ST_OK);
	capture_payload_pair(&e, (const struct fetch_result *[]){ &a, &b },
			     (uint8_t *[]){ got[0], got[1] });
	CHECK(memcmp(got, want, sizeof(got)) == 0);

	capture_both_sha1(&e, &a, payload, block);
	CHECK(memcmp(payload, want[0], SHA1_BYTES) == 0);
	e.ids = (struct id_maker){ 0 };
	CHECK(capture_encode(&e, &a, &(struct capture_options){ 0 }, &plain, NULL) ==
	      ST_OK);
	e.ids = (struct id_maker){ 0 };
	CHECK(capture_encode(&e, &a,
			     &(struct capture_options){ .payload_sha1 = payload,
							.block_sha1 = block },
			     &known, NULL) == ST_OK);
	CHECK(str_eq(buf_str(&plain.bytes), buf_str(&known.bytes)));
	capture_release(&plain);
	capture_release(&known);
	encoder_release(&e);
}

int main(void)
{
	RUN(a_page_becomes_its_records);
	RUN(secrets_of_a_request_are_not_archived_unless_wanted);
	RUN(the_index_names_the_place);
	RUN(a_revisit_has_no_body_and_names_its_origin);
	RUN(all_formats_and_both_versions_are_read_back);
	RUN(a_failed_fetch_is_kept_as_metadata);
	RUN(a_spooled_body_streams_through);
	RUN(digests_of_a_pair_equal_those_of_each);
	RUN(files_rotate_and_each_begins_with_a_warcinfo);
	RUN(a_full_disk_leaves_whole_records);
	DONE();
}
