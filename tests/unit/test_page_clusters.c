#include "corpus/page_clusters.h"

#include <stdio.h>
#include <stdlib.h>

#include "os/file.h"
#include "test.h"
#include "tmp.h"

static void only_fetched_pages_of_one_digest_are_one(void)
{
	cleanup(page_clusters_release) struct page_clusters c = { .digest = true };

	page_clusters_add_lines(
		&c,
		STR("org,a)/1 20260101 {\"url\": \"http://a.org/1\", \"digest\": \"x\", "
		    "\"status\": \"200\"}\n"
		    "{\"url\": \"HTTP://A.org:80/2#f\", \"digest\": \"x\"}\n"
		    "{\"url\": \"http://a.org/3\", \"digest\": \"y\"}\n"
		    "{\"url\": \"http://a.org/4\", \"digest\": \"x\", \"status\": "
		    "\"404\"}\n"
		    "{\"url\": \"http://a.org/1\", \"digest\": \"x\"}\n"
		    "{\"url\": \"mailto:a@b\", \"digest\": \"x\"}\n"
		    "no object\n{\"url\": 7}\n{\n"));
	struct clustered_url *v = page_clusters_list(&c);
	bool right = c.urls.n == 3 && !v[0].alone && !v[1].alone && v[2].alone &&
		     v[0].cluster == v[1].cluster && v[2].cluster == 3 && v[2].fetched &&
		     str_eq(v[1].url, STR("http://a.org/2"));
	free(v);
	CHECK(right);
}

static void without_digests_all_are_alone(void)
{
	cleanup(page_clusters_release) struct page_clusters c = { 0 };

	page_clusters_add_lines(&c,
				STR("{\"url\": \"http://a/1\", \"digest\": \"x\"}\n"
				    "{\"url\": \"http://a/2\", \"digest\": \"x\"}\n"));
	struct clustered_url *v = page_clusters_list(&c);
	bool right = c.urls.n == 2 && v[0].alone && v[1].alone;
	free(v);
	CHECK(right);
}

static void evidence_is_chosen_by_name(void)
{
	struct page_clusters c = { 0 };

	CHECK(page_clusters_set_evidence(&c, STR("near")) && c.near);
	CHECK(page_clusters_set_evidence(&c, STR("digest")) && c.digest);
	CHECK(page_clusters_set_evidence(&c, STR("redirect")) && c.redirect);
	CHECK(page_clusters_set_evidence(&c, STR("canonical")) && c.canonical);
	CHECK(!page_clusters_set_evidence(&c, STR("Digest")));
}

/* Redirects, canonical tags and near-duplicates, out of one file. */
static void pages_of_a_warc_are_joined_by_what_they_name(void)
{
	static const char *const answers[][2] = {
		{ "http://a.org/old", "HTTP/1.1 301 Moved\r\nLocation: /new\r\n\r\n" },
		{ "http://a.org/new", "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n"
				      "<p>new" },
		{ "http://a.org/print",
		  "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n"
		  "<link rel=canonical href=/new><p>printed" },
		{ "http://a.org/copy",
		  "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n"
		  "<p>new" },
		{ "http://a.org/other",
		  "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>other" },
	};
	cleanup(page_clusters_release) struct page_clusters c = { .digest = true,
								  .canonical = true,
								  .redirect = true };
	cleanup(buf_release) struct buf warc = { 0 };
	struct diag why = { 0 };

	for (size_t i = 0; i < COUNT(answers); i++) {
		struct str block = str_from(answers[i][1]);

		buf_addf(&warc,
			 "WARC/1.0\r\nWARC-Type: response\r\n"
			 "WARC-Record-ID: <urn:uuid:0000000%zu>\r\n"
			 "WARC-Date: 2026-01-01T00:00:00Z\r\nWARC-Target-URI: %s\r\n"
			 "Content-Type: application/http;msgtype=response\r\n"
			 "Content-Length: %zu\r\n\r\n" STR_FMT "\r\n\r\n",
			 i, answers[i][0], block.n, STR_ARG(block));
	}
	CHECK(file_save(tmp_path("pages.warc"), buf_str(&warc), &why) == ST_OK);
	CHECK(page_clusters_add_file(&c, tmp_path("pages.warc"), &why) == ST_OK);
	struct clustered_url *v = page_clusters_list(&c);
	size_t together = 0, alone = 0;
	for (size_t i = 0; i < c.urls.n; i++) {
		together += !v[i].alone && v[i].cluster == v[0].cluster;
		alone += v[i].alone && str_eq(v[i].url, STR("http://a.org/other"));
	}
	free(v);
	CHECK(c.urls.n == 5 && together == 4 && alone == 1);
	CHECK(file_remove(tmp_path("pages.warc"), &why) == ST_OK);
	CHECK(page_clusters_add_file(&c, tmp_path("pages.warc"), &why) != ST_OK);
}

int main(void)
{
	RUN(only_fetched_pages_of_one_digest_are_one);
	RUN(without_digests_all_are_alone);
	RUN(evidence_is_chosen_by_name);
	RUN(pages_of_a_warc_are_joined_by_what_they_name);
	DONE();
}
