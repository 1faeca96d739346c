#include "os/file.h"

#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "os/fault.h"
#include "os/map_file.h"
#include "test.h"
#include "tmp.h"

static bool holds(const char *path, struct str want)
{
	struct buf b = { 0 };
	bool same =
		file_load(path, 1 << 20, &b, NULL) == ST_OK && str_eq(buf_str(&b), want);

	buf_release(&b);
	return same;
}

static void written_pieces_are_read_back(void)
{
	struct file f = { 0 };
	struct iovec v[] = { { (char[]){ "ab" }, 2 },
			     { NULL, 0 },
			     { (char[]){ "cde" }, 3 } };
	char got[8];
	size_t n;

	CHECK(file_open(&f, tmp_path("a"), FILE_CREATE, NULL) == ST_OK);
	CHECK(file_writev(&f, v, 3, NULL) == ST_OK && f.size == 5);
	CHECK(file_write(&f, STR("fgh"), NULL) == ST_OK && f.size == 8);
	CHECK(file_write_at(&f, STR("X"), 1, NULL) == ST_OK && f.size == 8);
	CHECK(file_read_at(&f, 1, got, 4, &n, NULL) == ST_OK && n == 4);
	CHECK(memcmp(got, "Xcde", 4) == 0);
	CHECK(file_read_at(&f, 6, got, 8, &n, NULL) == ST_OK && n == 2);
	CHECK(file_truncate(&f, 3, NULL) == ST_OK && f.size == 3);
	file_close(&f);
	file_close(&f);
	CHECK(holds(tmp_path("a"), STR("aXc")));
	CHECK(file_open(&f, tmp_path("a"), FILE_APPEND, NULL) == ST_OK && f.size == 3);
	CHECK(file_write(&f, STR("!"), NULL) == ST_OK);
	file_close(&f);
	CHECK(holds(tmp_path("a"), STR("aXc!")));
}

static void failures_say_what_and_where(void)
{
	struct file f = { 0 };
	struct buf b = { 0 };
	struct diag why;

	CHECK(file_open(&f, tmp_path("no/such"), FILE_READ, &why) == ST_NOT_FOUND);
	CHECK(strstr(why.text, "no/such: cannot open: No such file"));
	CHECK(file_save(tmp_path("one"), STR("x"), &why) == ST_OK);
	CHECK(file_open(&f, tmp_path("one"), FILE_NEW, &why) == ST_EXISTS);
	CHECK(file_open(&f, tmp_folder, FILE_READ, &why) == ST_IO && !f.path);
	CHECK(file_save(tmp_path("two"), STR("xyz"), &why) == ST_OK);
	CHECK(file_load(tmp_path("two"), 2, &b, &why) == ST_TOO_LARGE);
	CHECK(file_load("/proc/self/status", 8, &b, &why) == ST_TOO_LARGE);
	buf_release(&b);
	CHECK(file_load("/proc/self/status", 1 << 16, &b, &why) == ST_OK && b.n > 100);
	buf_release(&b);
}

static void a_full_disk_is_told_apart(void)
{
	struct file f = { 0 };
	struct diag why;

	CHECK(fault_set(STR("fail-write=1:ENOSPC"), NULL) == ST_OK);
	CHECK(file_open(&f, tmp_path("full"), FILE_CREATE, &why) == ST_OK);
	CHECK(file_write(&f, STR("x"), &why) == ST_DISK_FULL);
	file_close(&f);
	CHECK(fault_set(STR(""), NULL) == ST_OK);
}

/* Whatever step of a replacement fails or dies, the file is old or new, whole. */
static void a_replacement_is_all_or_nothing(void)
{
	static const char *const faults[] = { "fail-create=1", "fail-write=1",
					      "fail-sync=1",   "fail-rename=1",
					      "kill-create=1", "kill-write=1",
					      "tear-write=1",  "kill-sync=1",
					      "kill-rename=1", "kill-sync=2" };

	for (size_t i = 0; i < COUNT(faults); i++) {
		const char *path = tmp_path("replaced");

		CHECK(file_save(path, STR("the old bytes"), NULL) == ST_OK);
		pid_t child = fork();
		if (child == 0) {
			_exit(fault_set(str_from(faults[i]), NULL) != ST_OK ||
			      file_save(path, STR("new"), NULL) == ST_OK);
		}
		int how;
		waitpid(child, &how, 0);
		CHECK(!WIFEXITED(how) || WEXITSTATUS(how) == 0);
		bool renamed = strcmp(faults[i], "kill-sync=2") == 0;
		CHECK(holds(path, renamed ? STR("new") : STR("the old bytes")));
	}
}

static void folders_are_made_listed_and_removed(void)
{
	struct arena a = { 0 };
	struct str_list l = { 0 };
	struct diag why;

	CHECK(dir_make(tmp_path("x/y/z"), &why) == ST_OK &&
	      dir_exists(tmp_path("x/y/z")));
	CHECK(dir_make(tmp_path("x/y/z/"), &why) == ST_OK);
	CHECK(file_save(tmp_path("x/b.seg"), STR(""), &why) == ST_OK);
	CHECK(file_save(tmp_path("x/a.seg"), STR(""), &why) == ST_OK);
	CHECK(dir_list(tmp_path("x"), STR(".seg"), &a, &l, &why) == ST_OK && l.n == 2);
	CHECK(str_eq(l.v[0], STR("a.seg")) && str_eq(l.v[1], STR("b.seg")));
	CHECK(dir_make(tmp_path("x/a.seg/q"), &why) != ST_OK);
	CHECK(dir_make(tmp_path("x/a.seg"), &why) == ST_EXISTS);
	CHECK(symlink(tmp_path("one"), tmp_path("x/link")) == 0);
	CHECK(dir_remove(tmp_path("x"), &why) == ST_OK && !dir_exists(tmp_path("x")));
	CHECK(file_exists(tmp_path("one")));
	CHECK(dir_remove(tmp_path("x"), &why) == ST_OK);
	str_list_release(&l);
	arena_release(&a);
}

static void a_lock_keeps_the_second_out(void)
{
	struct file f = { 0 }, g = { 0 };
	struct diag why;

	CHECK(file_open(&f, tmp_path("lock"), FILE_UPDATE, &why) == ST_OK);
	CHECK(file_open(&g, tmp_path("lock"), FILE_UPDATE, &why) == ST_OK);
	CHECK(file_lock(&f, &why) == ST_OK && file_lock(&g, &why) == ST_DENIED);
	file_close(&f);
	CHECK(file_lock(&g, &why) == ST_OK);
	file_close(&g);
}

static void paths_are_joined_and_split(void)
{
	struct arena a = { 0 };
	uint64_t free_bytes;

	CHECK(strcmp(path_join(&a, "d", STR("n")), "d/n") == 0);
	CHECK(strcmp(path_join(&a, "d/", STR("n")), "d/n") == 0);
	CHECK(strcmp(path_dir(&a, "/n"), "/") == 0);
	CHECK(strcmp(path_dir(&a, "a/b/n"), "a/b") == 0);
	CHECK(strcmp(path_dir(&a, "n"), ".") == 0);
	CHECK(disk_free(tmp_folder, &free_bytes, NULL) == ST_OK && free_bytes > 0);
	arena_release(&a);
}

static void what_was_passed_can_be_read_again(void)
{
	cleanup(buf_release) struct buf bytes = { 0 };
	struct map_file m = { 0 };

	while (bytes.n < (3u << 20))
		buf_add_u64(&bytes, bytes.n);
	CHECK(file_save(tmp_path("map"), buf_str(&bytes), NULL) == ST_OK);
	CHECK(map_file_open(&m, tmp_path("map"), MAP_SEQUENTIAL, NULL) == ST_OK);
	map_file_pass(&m, (2u << 20) + 5);
	CHECK(m.passed == 2u << 20);
	CHECK(str_eq(m.bytes, buf_str(&bytes)));
	map_file_pass(&m, SIZE_MAX);
	CHECK(m.passed == 3u << 20 && str_eq(m.bytes, buf_str(&bytes)));
	map_file_release(&m);
}

static void a_map_shows_the_bytes(void)
{
	struct map_file m = { 0 };

	CHECK(file_save(tmp_path("map"), STR("mapped"), NULL) == ST_OK);
	CHECK(map_file_open(&m, tmp_path("map"), MAP_RANDOM, NULL) == ST_OK);
	CHECK(str_eq(m.bytes, STR("mapped")));
	map_file_release(&m);
	map_file_release(&m);
	CHECK(file_save(tmp_path("map"), STR(""), NULL) == ST_OK);
	CHECK(map_file_open(&m, tmp_path("map"), MAP_SEQUENTIAL, NULL) == ST_OK);
	map_file_pass(&m, 1);
	CHECK(m.bytes.n == 0);
	map_file_release(&m);
	CHECK(map_file_open(&m, tmp_path("nomap"), MAP_RANDOM, NULL) == ST_NOT_FOUND);
}

static void an_updated_file_grows_at_its_end(void)
{
	cleanup(buf_release) struct buf b = { 0 };
	struct file f = { 0 };
	struct diag why;

	CHECK(file_save(tmp_path("grow"), STR("one"), &why) == ST_OK);
	CHECK(file_open(&f, tmp_path("grow"), FILE_UPDATE, &why) == ST_OK);
	CHECK(file_write(&f, STR("two"), &why) == ST_OK);
	CHECK(file_write_at(&f, STR("6x"), 6, &why) == ST_OK);
	CHECK(file_write(&f, STR("end"), &why) == ST_OK);
	CHECK(file_truncate(&f, 4, &why) == ST_OK);
	CHECK(file_write(&f, STR("!"), &why) == ST_OK);
	file_close(&f);
	CHECK(file_load(tmp_path("grow"), 100, &b, &why) == ST_OK);
	CHECK(str_eq(buf_str(&b), STR("onet!")));
}

static void the_disk_begins_with_much_and_each_byte_once(void)
{
	static const char piece[3 << 20];
	struct str bytes = { piece, sizeof(piece) };
	struct file f = { 0 };

	CHECK(file_open(&f, tmp_path("much"), FILE_CREATE, NULL) == ST_OK);
	CHECK(file_write(&f, bytes, NULL) == ST_OK);
	file_begin_sync(&f);
	CHECK(f.begun == 0);
	CHECK(file_write(&f, bytes, NULL) == ST_OK);
	file_begin_sync(&f);
	CHECK(f.begun == f.size);
	CHECK(file_truncate(&f, 5, NULL) == ST_OK && f.begun == 5);
	file_close(&f);
	CHECK(file_open(&f, tmp_path("much"), FILE_APPEND, NULL) == ST_OK);
	CHECK(f.begun == 5);
	CHECK(file_write(&f, bytes, NULL) == ST_OK);
	file_begin_sync(&f);
	CHECK(f.begun == 5 && file_sync(&f, NULL) == ST_OK);
	file_close(&f);
}

static void what_is_created_follows_no_link(void)
{
	char other[128], link[128], tmp[136];
	struct file f = { 0 };
	struct diag why = { 0 };

	snprintf(other, sizeof(other), "%s", tmp_path("precious"));
	snprintf(link, sizeof(link), "%s", tmp_path("planted"));
	snprintf(tmp, sizeof(tmp), "%s.tmp", link);
	CHECK(file_save(other, STR("mine"), NULL) == ST_OK);
	CHECK(symlink(other, link) == 0 && symlink(other, tmp) == 0);
	static const enum file_mode creating[] = { FILE_CREATE, FILE_APPEND, FILE_UPDATE,
						   FILE_NEW };
	for (size_t i = 0; i < COUNT(creating); i++)
		CHECK(file_open(&f, link, creating[i], &why) != ST_OK && why.text[0]);
	CHECK(holds(other, STR("mine")));
	/* A replacement goes through a new file, and the link itself is replaced. */
	CHECK(file_save(link, STR("ours"), NULL) == ST_OK);
	CHECK(holds(other, STR("mine")) && holds(link, STR("ours")));
	CHECK(file_open(&f, "/dev/stdout", FILE_APPEND, NULL) == ST_OK);
	file_close(&f);
}

static void secrets_are_for_their_owner(void)
{
	const char *path = tmp_path("secret");
	struct stat st;

	CHECK(file_save(path, STR("open"), NULL) == ST_OK);
	CHECK(file_save_private(path, STR("closed"), NULL) == ST_OK);
	CHECK(stat(path, &st) == 0 && (st.st_mode & 0777) == 0600);
	CHECK(holds(path, STR("closed")));
}

int main(void)
{
	RUN(written_pieces_are_read_back);
	RUN(failures_say_what_and_where);
	RUN(a_full_disk_is_told_apart);
	RUN(a_replacement_is_all_or_nothing);
	RUN(folders_are_made_listed_and_removed);
	RUN(what_is_created_follows_no_link);
	RUN(secrets_are_for_their_owner);
	RUN(a_lock_keeps_the_second_out);
	RUN(paths_are_joined_and_split);
	RUN(what_was_passed_can_be_read_again);
	RUN(a_map_shows_the_bytes);
	RUN(an_updated_file_grows_at_its_end);
	RUN(the_disk_begins_with_much_and_each_byte_once);
	DONE();
}
