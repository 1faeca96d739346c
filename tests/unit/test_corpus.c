#include "corpus/corpus.h"

#include <stdio.h>
#include <stdlib.h>
#include <zlib.h>

#include "base/hash.h"
#include "corpus/warc_doc.h"
#include "test.h"

static struct diag why;
static char dir[64];

static const char *write_file(const char *name, struct str bytes)
{
	static char path[128];

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	if (file_save(path, bytes, &why) != ST_OK)
		abort();
	return path;
}

/* The names and texts of all documents as "name=text;", broken ones as "!". */
static bool reads_as(const struct corpus_options *options, const char *want)
{
	cleanup(corpus_release) struct corpus c = { 0 };
	cleanup(buf_release) struct buf all = { 0 };
	struct str word = str_from(dir);
	struct corpus_doc doc;
	enum status st;

	if (corpus_open(&c, &word, 1, options, &why) != ST_OK)
		return false;
	while ((st = corpus_next(&c, &doc, &why)) != ST_AGAIN && all.n < 10000) {
		if (st != ST_OK) {
			buf_add(&all, STR("!;"));
			continue;
		}
		size_t slash = str_rfind_char(doc.name, '/');
		buf_add(&all,
			slash == STR_NONE ? doc.name : str_skip(doc.name, slash + 1));
		buf_add_char(&all, '=');
		buf_add(&all, str_trim(doc.text));
		buf_add_char(&all, ';');
	}
	if (!str_eq(buf_str(&all), str_from(want)))
		printf("# got: " STR_FMT "\n", STR_ARG(buf_str(&all)));
	return str_eq(buf_str(&all), str_from(want)) &&
	       corpus_bytes_done(&c) == c.total_bytes;
}

static void fresh_dir(void)
{
	snprintf(dir, sizeof(dir), "/tmp/test_corpus.XXXXXX");
	if (!mkdtemp(dir))
		abort();
}

static void a_folder_of_everything(void)
{
	fresh_dir();
	write_file("a.jsonl",
		   STR("{\"id\":\"one\",\"text\":\"first\"}\n\nbroken\n"
		       "{\"url\":\"two\",\"text\":\"second\"}\n{\"text\":\"last\"}"));
	write_file("b.txt", STR("plain words\n"));
	write_file("c.html", STR("<!doctype html><p>hello <b>page</b></p>"));
	write_file(
		"d.warc",
		STR("WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://h/w\r\n"
		    "Content-Type: application/http\r\nContent-Length: 67\r\n\r\n"
		    "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\nthe words of a "
		    "page!\r\n"
		    "\r\n\r\n"));
	CHECK(reads_as(&(struct corpus_options){ 0 },
		       "one=first;!;two=second;a.jsonl:5=last;b.txt=plain words;"
		       "c.html=hello page;w=the words of a page!;"));
	CHECK(dir_remove(dir, &why) == ST_OK);
}

static void add_gzip(struct buf *to, struct str bytes)
{
	z_stream z = { .next_in = (Bytef *)(uintptr_t)bytes.p,
		       .avail_in = (uInt)bytes.n };

	if (deflateInit2(&z, 6, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY) !=
	    Z_OK)
		abort();
	uLong most = deflateBound(&z, (uLong)bytes.n);
	z.next_out = (Bytef *)buf_reserve(to, most);
	z.avail_out = (uInt)most;
	if (deflate(&z, Z_FINISH) != Z_STREAM_END)
		abort();
	to->n += z.total_out;
	deflateEnd(&z);
}

/* A record of text whose name is its number. */
static void add_record(struct buf *to, unsigned nr, struct str text)
{
	cleanup(buf_release) struct buf record = { 0 };

	buf_addf(&record,
		 "WARC/1.0\r\nWARC-Type: conversion\r\nWARC-Target-URI: http://h/%u\r\n"
		 "Content-Type: text/plain\r\nContent-Length: %zu\r\n\r\n" STR_FMT
		 "\r\n\r\n",
		 nr, text.n, STR_ARG(text));
	add_gzip(to, buf_str(&record));
}

static void a_torn_member_is_told_once(void)
{
	cleanup(buf_release) struct buf file = { 0 };

	fresh_dir();
	add_record(&file, 1, STR("first"));
	size_t whole = file.n;
	add_record(&file, 2, STR("second"));
	write_file("a.warc.gz", str_slice(buf_str(&file), 0, whole + 40));
	write_file("b.txt", STR("words"));
	CHECK(reads_as(&(struct corpus_options){ 0 }, "1=first;!;b.txt=words;"));
	CHECK(dir_remove(dir, &why) == ST_OK);
}

static void a_damaged_file_hides_no_other(void)
{
	fresh_dir();
	write_file("a.jsonl.gz", STR("\x1f\x8b\x08 nonsense"));
	write_file("b.txt", STR("words"));
	CHECK(reads_as(&(struct corpus_options){ 0 }, "!;b.txt=words;"));
	CHECK(dir_remove(dir, &why) == ST_OK);
}

static void binary_files_are_passed_over(void)
{
	fresh_dir();
	write_file("a.png", (struct str){ "\x89PNG\r\n\x1a\n\0\0\0\rIHDR", 16 });
	write_file("b.pdf", STR("%PDF-1.4\n..."));
	write_file("c.txt", STR("words"));
	write_file("d.txt", STR(""));
	CHECK(reads_as(&(struct corpus_options){ 0 }, "c.txt=words;d.txt=;"));
	CHECK(dir_remove(dir, &why) == ST_OK);
}

static void text_of_any_encoding(void)
{
	fresh_dir();
	write_file("a.txt", (struct str){ "\xff\xfeh\0i\0", 6 });
	write_file("b.txt", STR("\xef\xbb\xbfmarked"));
	write_file("c.txt", STR("un caf\xe9 au lait, s'il vous pla\xeet"));
	CHECK(reads_as(&(struct corpus_options){ 0 },
		       "a.txt=hi;b.txt=marked;c.txt=un caf\xc3\xa9 au lait, s'il vous "
		       "pla\xc3\xaet;"));
	CHECK(dir_remove(dir, &why) == ST_OK);
}

/* All parts of the corpus, one behind the other, hold so many records in order. */
static void check_parts(struct corpus *c, unsigned n_records, unsigned *ret_parts)
{
	struct corpus_part part;
	struct corpus_raw raw;
	uint64_t end = 0;
	unsigned n = 0;

	for (*ret_parts = 0; corpus_take_part(c, &part); ++*ret_parts) {
		struct warc_docs docs;
		char want[32];
		enum status st;

		CHECK(part.start == end && part.bytes.n == part.end - part.start);
		end = part.end;
		warc_docs_init(&docs, part.bytes, part.file, part.start);
		while ((st = warc_docs_next(&docs, &raw, &why)) == ST_OK) {
			snprintf(want, sizeof(want), "http://h/%u", n++);
			CHECK(str_eq(raw.name, str_from(want)));
			CHECK(raw.place >= part.start && raw.place < part.end);
		}
		CHECK(st == ST_AGAIN);
		warc_docs_release(&docs);
	}
	CHECK(n == n_records);
}

static void parts_hold_all_records(void)
{
	cleanup(buf_release) struct buf file = { 0 }, text = { 0 };
	cleanup(corpus_release) struct corpus c = { 0 };
	struct corpus_raw raw;
	unsigned parts, n = 400;
	uint64_t word = 1;

	fresh_dir();
	for (unsigned i = 0; i < n; i++) {
		buf_reset(&text);
		for (int k = 0; k < 200; k++)
			buf_addf(&text, "%llx ",
				 (unsigned long long)(word = hash_mix(word + 1)));
		add_record(&file, i, buf_str(&text));
	}
	struct str path = str_from(write_file("a.warc.gz", buf_str(&file)));
	CHECK(corpus_open(&c, &path, 1, &(struct corpus_options){ 0 }, &why) == ST_OK);
	check_parts(&c, n, &parts);
	CHECK(parts > 2 && corpus_bytes_done(&c) == c.total_bytes);
	CHECK(corpus_read(&c, &raw, &why) == ST_AGAIN);
	CHECK(dir_remove(dir, &why) == ST_OK);
}

static void compressed_lines_of_any_length(void)
{
	cleanup(buf_release) struct buf lines = { 0 };
	struct corpus c = { 0 };
	struct corpus_doc doc;
	char path[128];
	size_t n = 0;

	fresh_dir();
	snprintf(path, sizeof(path), "%s/x.jsonl.gz", dir);
	gzFile f = gzopen(path, "wb1");
	for (int i = 0; i < 300; i++) {
		buf_reset(&lines);
		buf_add(&lines, STR("{\"text\":\""));
		for (int k = 0; k < i * 40; k++)
			buf_addf(&lines, "word%d ", k * i);
		buf_add(&lines, STR("\"}\n"));
		gzwrite(f, lines.p, (unsigned)lines.n);
	}
	gzclose(f);
	struct str word = str_from(path);
	CHECK(corpus_open(&c, &word, 1, &(struct corpus_options){ 0 }, &why) == ST_OK);
	for (; corpus_next(&c, &doc, &why) == ST_OK; n++)
		CHECK(doc.text.n >= n * 40 * 6);
	CHECK(n == 300);
	corpus_release(&c);
	CHECK(dir_remove(dir, &why) == ST_OK);
}

static void formats_are_told_by_bytes_and_names(void)
{
	CHECK(corpus_detect(STR("WARC/1.1\r\n"), STR("x")) == CORPUS_WARC);
	CHECK(corpus_detect(STR(" {\"a\":1}"), STR("x")) == CORPUS_JSONL);
	CHECK(corpus_detect(STR("{ not json"), STR("x.txt")) == CORPUS_TEXT);
	CHECK(corpus_detect(STR("<!DOCTYPE HTML>"), STR("x")) == CORPUS_HTML);
	CHECK(corpus_detect(STR("<p>"), STR("x.htm.gz")) == CORPUS_HTML);
	CHECK(corpus_detect(STR("just words"), STR("x")) == CORPUS_TEXT);
	CHECK(corpus_detect((struct str){ "GIF89a\0\0", 8 }, STR("x.gif")) ==
	      CORPUS_AUTO);
	CHECK(corpus_detect(STR(""), STR("x")) == CORPUS_TEXT);
}

static void chunks_are_joined(void)
{
	cleanup(buf_release) struct buf to = { 0 };

	unchunk(STR("5\r\nhello\r\n1;x=y\r\n \r\n5\r\nworld\r\n0\r\n\r\n"), &to);
	CHECK(str_eq(buf_str(&to), STR("hello world")));
}

static void a_missing_file_is_told_before_anything(void)
{
	struct str word = STR("/nonexistent/x");
	struct corpus c;

	CHECK(corpus_open(&c, &word, 1, &(struct corpus_options){ 0 }, &why) != ST_OK);
}

static void a_footer_is_not_the_content(void)
{
	cleanup(buf_release) struct buf page = { 0 }, want = { 0 };

	fresh_dir();
	buf_add(&page, STR("<!doctype html><body><ul>"));
	buf_add(&want, STR("a.html="));
	for (int i = 0; i < 60; i++) {
		buf_addf(&page, "<li><a href=%d>topic number %d</a></li>", i, i);
		buf_addf(&want, "topic number %d\n", i);
	}
	buf_add(&page, STR("</ul><p>This page was made by the society for pages.</p>"));
	buf_add(&want, STR("This page was made by the society for pages.;"));
	write_file("a.html", buf_str(&page));
	CHECK(reads_as(&(struct corpus_options){ 0 }, buf_cstr(&want)));
}

static void add_words(struct buf *to, const char *word, int n)
{
	for (int i = 0; i < n; i++)
		buf_addf(to, "%s%d ", word, i % 10);
}

/* Twenty of 199 words are enough, eighteen of 197 are not, however long one of them is.
 */
static void words_decide_whether_content_is_doubted(void)
{
	static const char *const last[] = { "end", "incomprehensibilities" };

	for (int k = 0; k < 4; k++) {
		cleanup(buf_release) struct buf page = { 0 }, want = { 0 };
		int own = k / 2 ? 19 : 17;

		fresh_dir();
		buf_add(&page, STR("<!doctype html><body><nav><p>"));
		add_words(&page, "menu", 179);
		buf_add(&page, STR("</p></nav><main><p>"));
		add_words(&page, "word", own);
		buf_addf(&page, "%s</p></main>", last[k % 2]);
		write_file("a.html", buf_str(&page));
		buf_add(&want, STR("a.html="));
		if (own == 17) {
			add_words(&want, "menu", 179);
			want.p[want.n - 1] = '\n';
		}
		add_words(&want, "word", own);
		buf_addf(&want, "%s;", last[k % 2]);
		CHECK(reads_as(&(struct corpus_options){ 0 }, buf_cstr(&want)));
	}
}

static void of_a_crawl_only_the_archive_is_read(void)
{
	cleanup(buf_release) struct buf archive = { 0 };

	fresh_dir();
	buf_addf(&archive, "%s/archive", dir);
	CHECK(dir_make(buf_cstr(&archive), &why) == ST_OK);
	write_file("pages.jsonl", STR("{\"url\":\"x\"}\n"));
	write_file("archive/notes.txt", STR("notes"));
	write_file(
		"archive/a.warc",
		STR("WARC/1.1\r\nWARC-Type: resource\r\nWARC-Target-URI: http://x/a\r\n"
		    "Content-Type: text/plain\r\nContent-Length: 2\r\n\r\nhi\r\n\r\n"));
	CHECK(reads_as(&(struct corpus_options){ 0 }, "a=hi;"));
}

static void style_sheets_and_drawings_are_no_documents(void)
{
	fresh_dir();
	write_file("a.css", STR("p { color: red }"));
	write_file("b.svg", STR("<svg xmlns='http://www.w3.org/2000/svg'/>"));
	write_file("c.txt", STR("text"));
	CHECK(reads_as(&(struct corpus_options){ 0 }, "c.txt=text;"));
}

int main(void)
{
	RUN(a_folder_of_everything);
	RUN(a_torn_member_is_told_once);
	RUN(a_damaged_file_hides_no_other);
	RUN(a_footer_is_not_the_content);
	RUN(words_decide_whether_content_is_doubted);
	RUN(of_a_crawl_only_the_archive_is_read);
	RUN(style_sheets_and_drawings_are_no_documents);
	RUN(binary_files_are_passed_over);
	RUN(text_of_any_encoding);
	RUN(parts_hold_all_records);
	RUN(compressed_lines_of_any_length);
	RUN(formats_are_told_by_bytes_and_names);
	RUN(chunks_are_joined);
	RUN(a_missing_file_is_told_before_anything);
	DONE();
}
