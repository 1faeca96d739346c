#include <signal.h>
#include <string.h>
#include <sys/wait.h>

#include "archive/archive.h"
#include "archive_fixture.h"
#include "os/fault.h"
#include "test.h"
#include "warc/warc_check.h"

#define PAGES  8
#define COMMIT 4 /* pages between two commits */

/* What a crawl would keep in its journal: how many pages, and where the files are. */
static bool load_journal(const char *path, uint64_t *ret_done,
			 struct archive_position *ret)
{
	struct buf b = { 0 };

	*ret_done = 0;
	*ret = (struct archive_position){ 0 };
	if (!file_exists(path))
		return true;
	bool ok = file_load(path, 1 << 10, &b, NULL) == ST_OK;
	struct str in = buf_str(&b);
	ok = ok && str_take_varint(&in, ret_done) &&
	     archive_position_decode(&in, ret) == ST_OK && in.n == 0;
	buf_release(&b);
	return ok;
}

static bool save_journal(const char *path, uint64_t done,
			 const struct archive_position *p)
{
	struct buf b = { 0 };

	buf_add_varint(&b, done);
	archive_position_encode(p, &b);
	bool ok = file_save(path, buf_str(&b), NULL) == ST_OK;
	buf_release(&b);
	return ok;
}

/* A little crawl that goes on where the journal ends.  False when something fails. */
static bool crawl(const char *dir, const char *journal)
{
	struct archive a;
	struct archive_position p;
	struct archive_place place;
	struct archive_options o = fixture_options(dir);
	uint64_t done;

	o.rotate_bytes = 4000; /* so that some kills hit a rotation */
	o.ids = id_maker_random();
	if (!load_journal(journal, &done, &p) ||
	    archive_open(&a, &o, &p, NULL, NULL) != ST_OK)
		return false;
	for (uint64_t i = done; i < PAGES; i++) {
		char url[64];
		snprintf(url, sizeof(url), "https://example.org/%llu",
			 (unsigned long long)i);
		struct fetch_task t = fixture_task(url);
		struct fetch_result r = fixture_result(&t, STR("<p>hello</p>"));
		if (!fixture_add(&a, &r, &(struct capture_options){ 0 }, &place) ||
		    archive_add_page(&a,
				     &(struct archive_page){ .url = t.url, .date_ms = 1 },
				     NULL) != ST_OK ||
		    archive_add_log(&a, STR("line\n"), NULL) != ST_OK)
			return false;
		if ((i + 1) % COMMIT == 0 &&
		    (archive_commit(&a, NULL, &p, NULL) != ST_OK ||
		     !save_journal(journal, i + 1, &p)))
			return false;
	}
	return archive_close(&a, NULL) == ST_OK;
}

static unsigned findings;

static void count_finding(void *arg, const struct check_finding *f)
{
	(void)arg;
	findings++;
	printf("# %s:%llu: " STR_FMT "\n", f->path, (unsigned long long)f->offset,
	       STR_ARG(f->what));
}

static unsigned lines_in(const char *dir, const char *name)
{
	struct arena a = { 0 };
	struct buf b = { 0 };
	unsigned n = 0;

	if (file_load(path_join(&a, dir, str_from(name)), 1 << 20, &b, NULL) == ST_OK)
		for (size_t i = 0; i < b.n; i++)
			n += b.p[i] == '\n';
	buf_release(&b);
	arena_release(&a);
	return n;
}

/* Every page once, everywhere, and every WARC file without a finding. */
static bool is_complete(const char *dir)
{
	struct arena names = { 0 };
	struct str_list files = { 0 };
	struct warc_check c;
	bool ok = true;
	char *folder = path_join(&names, dir, STR("archive"));

	findings = 0;
	warc_check_init(&c, count_finding, NULL);
	ok &= dir_list(folder, STR(""), &names, &files, NULL) == ST_OK;
	for (size_t i = 0; i < files.n; i++) {
		ok &= str_ends(files.v[i], STR(".warc.gz"));
		ok &= warc_check_file(&c, path_join(&names, folder, files.v[i]), NULL) ==
		      ST_OK;
	}
	warc_check_end(&c);
	ok &= c.records == 3 * PAGES + files.n && findings == 0;
	warc_check_release(&c);
	str_list_release(&files);
	arena_release(&names);
	/* One a page in the index: the URLs differ, so a double would be one line more.
	 */
	return ok && lines_in(dir, "indexes/index.cdxj") == PAGES &&
	       lines_in(dir, "pages.jsonl") == PAGES + 1 &&
	       lines_in(dir, "crawl.log") == PAGES;
}

/* Kill the crawl at the n-th call of each kind, resume, and look. */
static bool survives(const char *fault, unsigned nr, bool *ret_killed)
{
	char spec[64], name[64], journal_name[64];

	snprintf(spec, sizeof(spec), "%s=%u", fault, nr);
	snprintf(name, sizeof(name), "%s-%u", fault, nr);
	snprintf(journal_name, sizeof(journal_name), "%s-%u.journal", fault, nr);
	const char *dir = tmp_path(name), *journal = tmp_path(journal_name);
	pid_t child = fork();
	int how;

	if (child == 0)
		_exit(fault_set(str_from(spec), NULL) == ST_OK && crawl(dir, journal)
			      ? 0
			      : 1);
	waitpid(child, &how, 0);
	*ret_killed = WIFSIGNALED(how) && WTERMSIG(how) == SIGKILL;
	if (!*ret_killed && (!WIFEXITED(how) || WEXITSTATUS(how) != 0))
		return false;
	return crawl(dir, journal) && is_complete(dir);
}

static bool survives_all(const char *fault)
{
	bool killed = true;
	unsigned nr = 1;

	for (; killed; nr++)
		if (!survives(fault, nr, &killed)) {
			printf("# %s=%u\n", fault, nr);
			return false;
		}
	return nr > 4; /* it was killed a few times, or nothing was tested */
}

static void a_kill_at_any_sync_loses_and_doubles_nothing(void)
{
	CHECK(survives_all("kill-sync"));
}

static void a_kill_at_any_write_loses_and_doubles_nothing(void)
{
	CHECK(survives_all("kill-write"));
	CHECK(survives_all("tear-write"));
}

static void a_kill_at_any_rename_or_truncation_too(void)
{
	CHECK(survives_all("kill-rename"));
	CHECK(survives_all("kill-create"));
}

static void less_than_was_committed_is_told(void)
{
	struct archive a;
	struct arena names = { 0 };
	struct archive_position p;
	uint64_t done;
	struct diag why;
	const char *dir = tmp_path("short");
	struct archive_options o = fixture_options(dir);

	CHECK(crawl(dir, tmp_path("short.journal")));
	CHECK(load_journal(tmp_path("short.journal"), &done, &p) && done == PAGES);
	p.log_bytes++;
	CHECK(archive_open(&a, &o, &p, NULL, &why) == ST_CORRUPT);
	CHECK(strstr(why.text, "crawl.log: 40 bytes, but 41 were committed"));
	p.log_bytes--;
	p.serial += 5;
	p.warc_bytes = 1;
	CHECK(archive_open(&a, &o, &p, NULL, &why) == ST_CORRUPT);
	arena_release(&names);
}

static void foreign_files_are_left_alone(void)
{
	struct archive a;
	const char *dir = tmp_path("foreign");
	struct archive_options o = fixture_options(dir);
	struct archive_position nothing = { 0 };

	CHECK(dir_make(tmp_path("foreign/archive"), NULL) == ST_OK);
	CHECK(file_save(tmp_path("foreign/archive/mine.warc.gz"), STR("x"), NULL) ==
	      ST_OK);
	CHECK(file_save(
		      tmp_path("foreign/archive/other-20261115033530123-00001-h.warc.gz"),
		      STR("x"), NULL) == ST_OK);
	CHECK(archive_open(&a, &o, &nothing, NULL, NULL) == ST_OK);
	CHECK(archive_close(&a, NULL) == ST_OK);
	CHECK(file_exists(tmp_path("foreign/archive/mine.warc.gz")));
	CHECK(file_exists(
		tmp_path("foreign/archive/other-20261115033530123-00001-h.warc.gz")));
}

int main(void)
{
	RUN(a_kill_at_any_sync_loses_and_doubles_nothing);
	RUN(a_kill_at_any_write_loses_and_doubles_nothing);
	RUN(a_kill_at_any_rename_or_truncation_too);
	RUN(less_than_was_committed_is_told);
	RUN(foreign_files_are_left_alone);
	DONE();
}
