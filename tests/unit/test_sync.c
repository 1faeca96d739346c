#include "os/sync.h"

#include "os/fault.h"
#include "test.h"
#include "tmp.h"

static bool add(struct sync_set *s, const char *name)
{
	cleanup(file_close) struct file f = { 0 };

	/* Closed at once: the set has its own descriptor. */
	return file_open(&f, tmp_path(name), FILE_CREATE, NULL) == ST_OK &&
	       file_write(&f, STR("words"), NULL) == ST_OK &&
	       sync_or_add(&f, s, NULL) == ST_OK;
}

static void a_set_is_synced_later_and_none_at_once(void)
{
	struct sync_set s = { 0 };

	CHECK(fault_set(STR("fail-write=1000000"), NULL) ==
	      ST_OK); /* so that it counts */
	CHECK(add(&s, "a") && add(&s, "b") && s.n == 2);
	CHECK(fault_calls(FAULT_SYNC) == 0);
	CHECK(sync_all(&s, NULL) == ST_OK && s.n == 0 && fault_calls(FAULT_SYNC) == 2);
	CHECK(add(NULL, "c") && fault_calls(FAULT_SYNC) == 3);
	CHECK(fault_set(STR(""), NULL) == ST_OK);
}

static void a_full_set_syncs_at_once(void)
{
	struct sync_set s = { 0 };

	CHECK(fault_set(STR("fail-write=1000000"), NULL) == ST_OK);
	for (size_t i = 0; i < SYNC_FILES_MAX; i++)
		CHECK(add(&s, "d"));
	CHECK(fault_calls(FAULT_SYNC) == 0 && add(&s, "d"));
	CHECK(fault_calls(FAULT_SYNC) == 1 && s.n == SYNC_FILES_MAX);
	sync_set_release(&s);
	CHECK(fault_set(STR(""), NULL) == ST_OK);
}

static void a_thread_waits_and_tells(bool with_thread)
{
	struct syncer y = { 0 };
	struct sync_set s = { 0 };
	struct diag why = { 0 };

	if (with_thread)
		CHECK(syncer_start(&y, NULL) == ST_OK);
	CHECK(add(&s, "e"));
	syncer_give(&y, &s);
	CHECK(s.n == 0 && syncer_take(&y, QUEUE_FOREVER, &why) == ST_OK);
	CHECK(fault_set(STR("fail-sync=1:ENOSPC"), NULL) == ST_OK);
	CHECK(add(&s, "f"));
	syncer_give(&y, &s);
	CHECK(syncer_take(&y, QUEUE_FOREVER, &why) == ST_DISK_FULL);
	CHECK(str_find(str_from(why.text), STR("/f")) != STR_NONE);
	CHECK(fault_set(STR(""), NULL) == ST_OK);
	CHECK(add(&s, "g"));
	syncer_give(&y, &s);
	syncer_stop(&y); /* nobody asked how it went */
	syncer_stop(&y);
}

static void with_a_thread(void)
{
	a_thread_waits_and_tells(true);
}

static void without_one_it_waits_itself(void)
{
	a_thread_waits_and_tells(false);
}

int main(void)
{
	RUN(a_set_is_synced_later_and_none_at_once);
	RUN(a_full_set_syncs_at_once);
	RUN(with_a_thread);
	RUN(without_one_it_waits_itself);
	DONE();
}
