#include "port/bus.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/hash.h"
#include "os/segment_log.h"

static const struct segment_kind bus_kind = { .name = "thrshbus", .version = 1 };

struct lane {
	struct segment_log log; /* closed in a mere reader */
	struct segment_cursor cursor;
	bool reading;
};

struct local_bus {
	struct bus base; /* must stay first */
	char *dir;
	struct lane *lanes;
};

static struct lane *lane_of(struct bus *b, uint32_t partition)
{
	return &((struct local_bus *)b)->lanes[partition];
}

static void lane_path(char path[4096], const char *dir, uint32_t nr)
{
	snprintf(path, 4096, "%s/%04u", dir, nr);
}

static enum status lane_open(struct lane *l, const char *dir, uint32_t nr,
			     struct diag *why)
{
	char path[4096];

	lane_path(path, dir, nr);
	return segment_log_open(&l->log, path, &bus_kind,
				&(struct segment_log_options){ 0 }, NULL, why);
}

static enum status local_add(struct bus *b, uint32_t partition, struct str message,
			     uint64_t *ret_offset, struct diag *why)
{
	if (partition >= b->partitions)
		return diag_fail(why, ST_NOT_FOUND, "bus: there is no partition %u",
				 partition);
	return segment_log_add(&lane_of(b, partition)->log, message, ret_offset, why);
}

static enum status local_sync(struct bus *b, struct diag *why)
{
	for (uint32_t i = 0; i < b->partitions; i++)
		TRY(segment_log_sync(&lane_of(b, i)->log, why));
	return ST_OK;
}

static enum status local_seek(struct bus *b, uint32_t partition, uint64_t offset,
			      struct diag *why)
{
	if (partition >= b->partitions)
		return diag_fail(why, ST_NOT_FOUND, "bus: there is no partition %u",
				 partition);
	struct lane *l = lane_of(b, partition);

	if (l->reading)
		segment_cursor_close(&l->cursor);
	l->reading = false;
	if (l->log.dir)
		TRY(segment_log_flush(&l->log, why));
	char path[4096];
	lane_path(path, ((struct local_bus *)b)->dir, partition);
	TRY(segment_cursor_open(&l->cursor, path, &bus_kind, offset, why));
	l->reading = true;
	return ST_OK;
}

static enum status local_next(struct bus *b, uint32_t partition, struct str *ret,
			      uint64_t *ret_next, struct diag *why)
{
	if (partition >= b->partitions)
		return diag_fail(why, ST_NOT_FOUND, "bus: there is no partition %u",
				 partition);
	struct lane *l = lane_of(b, partition);

	if (!l->reading)
		TRY(local_seek(b, partition, 0, why));
	enum status st = segment_cursor_next(&l->cursor, ret, why);
	if (st == ST_AGAIN && l->log.dir) {
		/* What our own writer still holds back is a message too. */
		TRY(segment_log_flush(&l->log, why));
		st = segment_cursor_next(&l->cursor, ret, why);
	}
	if (st == ST_OK)
		*ret_next = l->cursor.position;
	return st;
}

static enum status local_forget(struct bus *b, uint32_t partition, uint64_t offset,
				struct diag *why)
{
	if (partition >= b->partitions)
		return diag_fail(why, ST_NOT_FOUND, "bus: there is no partition %u",
				 partition);
	return segment_log_drop(&lane_of(b, partition)->log, offset, why);
}

static void local_close(struct bus *b)
{
	struct local_bus *l = (struct local_bus *)b;

	for (uint32_t i = 0; i < b->partitions; i++) {
		if (l->lanes[i].reading)
			segment_cursor_close(&l->lanes[i].cursor);
		if (l->lanes[i].log.dir)
			segment_log_close(&l->lanes[i].log);
	}
	free(l->lanes);
	free(l->dir);
	free(l);
}

static const struct bus_ops local_ops = {
	local_add, local_sync, local_seek, local_next, local_forget, local_close,
};

/* Its lanes are not open yet. */
static enum status new_local(struct local_bus **ret, const struct bus_ops *ops,
			     const char *dir, uint32_t partitions, struct diag *why)
{
	if (partitions == 0 || partitions > BUS_PARTITIONS_MAX)
		return diag_fail(why, ST_TOO_LARGE, "bus: 1 to %d partitions, not %u",
				 BUS_PARTITIONS_MAX, partitions);
	*ret = NEW(struct local_bus);
	**ret = (struct local_bus){ .base = { .ops = ops },
				    .dir = strdup(dir),
				    .lanes = xcalloc(partitions, sizeof(struct lane)) };
	return ST_OK;
}

enum status bus_open_local(struct bus **ret, const char *dir, uint32_t partitions,
			   struct diag *why)
{
	struct local_bus *l;

	TRY(new_local(&l, &local_ops, dir, partitions, why));
	for (uint32_t i = 0; i < partitions; i++) {
		enum status st = lane_open(&l->lanes[i], dir, i, why);

		if (st != ST_OK) {
			local_close(&l->base);
			return st;
		}
		l->base.partitions = i + 1;
	}
	*ret = &l->base;
	return ST_OK;
}

static enum status denied_add(struct bus *b, uint32_t partition, struct str message,
			      uint64_t *ret_offset, struct diag *why)
{
	(void)b, (void)partition, (void)message, (void)ret_offset;
	return diag_fail(why, ST_DENIED, "bus: opened for reading");
}

static enum status denied_sync(struct bus *b, struct diag *why)
{
	(void)b;
	return diag_fail(why, ST_DENIED, "bus: opened for reading");
}

static enum status denied_forget(struct bus *b, uint32_t partition, uint64_t offset,
				 struct diag *why)
{
	(void)b, (void)partition, (void)offset;
	return diag_fail(why, ST_DENIED, "bus: opened for reading");
}

static const struct bus_ops reader_ops = {
	denied_add, denied_sync, local_seek, local_next, denied_forget, local_close,
};

enum status bus_open_local_reader(struct bus **ret, const char *dir, uint32_t partitions,
				  struct diag *why)
{
	struct local_bus *l;

	TRY(new_local(&l, &reader_ops, dir, partitions, why));
	l->base.partitions = partitions;
	*ret = &l->base;
	return ST_OK;
}

uint32_t bus_partition(const struct bus *b, struct str domain)
{
	return (uint32_t)(hash64(domain) % b->partitions);
}
