#include "corpus/corpus.h"

#include <stdio.h>
#include <stdlib.h>
#include <zlib.h>

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
	while ((st = corpus_next(&c, &doc, &why)) != ST_AGAIN) {
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

int main(void)
{
	RUN(a_folder_of_everything);
	RUN(compressed_lines_of_any_length);
	RUN(formats_are_told_by_bytes_and_names);
	RUN(chunks_are_joined);
	RUN(a_missing_file_is_told_before_anything);
	DONE();
}
