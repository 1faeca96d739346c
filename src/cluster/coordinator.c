#include "cluster/coordinator.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "leases/leases.h"

#define JOBS_MAX    16384
#define END_SEEN_MS 60000 /* so long it is heard that another node saw the end */

struct job *job_new(enum job_kind kind)
{
	struct job *j = NEW(struct job);

	j->kind = (uint8_t)kind;
	return j;
}

void job_free(struct job *j)
{
	if (!j)
		return;
	arena_release(&j->a);
	free(j);
}

static void give_back(struct coordinator *c, struct job *j)
{
	struct coord *l = c->leases;

	/* The last use is kept with the name: it is claimed once more for no time. */
	j->st = l->ops->claim(l, c->owner, j->claims, j->n, j->asked_ms, 0, &j->why);
}

static void look(struct coordinator *c, struct job *j)
{
	struct node_view view;

	j->st = nodes_read(c->db, str_from(c->place->name), &j->a, &view, &j->why);
	if (j->st != ST_OK)
		return;
	j->state = nodes_judge(&c->watch, &view, c->place->partitions);
	for (size_t i = 0; i < view.n; i++)
		j->saw_end |= view.v[i].phase == NODE_OVER &&
			      view.v[i].age_ms < END_SEEN_MS &&
			      view.v[i].node != j->row.node;
}

static void carry_out(struct coordinator *c, struct job *j)
{
	struct str crawl = str_from(c->place->name);

	switch ((enum job_kind)j->kind) {
	case JOB_CLAIM:
		j->st = c->leases->ops->claim(c->leases, c->owner, j->claims, j->n,
					      j->asked_ms, c->place->lease_ms, &j->why);
		break;
	case JOB_GIVE_BACK:
		give_back(c, j);
		break;
	case JOB_TAKE:
		j->st = nodes_take_shard(c->db, crawl, j->partition, j->row.node,
					 &j->epoch, &j->why);
		break;
	case JOB_SAY:
		j->st = nodes_say(c->db, crawl, &j->row, c->place->partitions, &j->why);
		if (j->st == ST_OK)
			look(c, j);
		break;
	}
}

static void run(void *arg)
{
	struct coordinator *c = arg;
	void *item;

	while (queue_take(&c->in, QUEUE_FOREVER, &item) == ST_OK) {
		carry_out(c, item);
		if (queue_add(&c->out, item, QUEUE_FOREVER) != ST_OK)
			job_free(item);
	}
}

enum status coordinator_start(struct coordinator *c, const struct cluster_place *place,
			      struct str owner, int wake_fd, struct diag *why)
{
	c->place = place;
	c->owner = owner;
	TRY(sql_open(&c->db, place->database, why));
	TRY(nodes_open(c->db, why));
	TRY(coord_open_sql(&c->leases, c->db, str_from(place->name), why));
	queue_init(&c->in, JOBS_MAX);
	queue_init(&c->out, JOBS_MAX);
	queue_wake_by(&c->out, wake_fd);
	return thread_start(&c->thread, "coordinator", run, c, why);
}

void coordinator_stop(struct coordinator *c)
{
	struct job *j;

	if (c->thread.running) {
		queue_close(&c->in);
		thread_join(&c->thread);
		while ((j = coordinator_take(c)))
			job_free(j);
		queue_release(&c->in);
		queue_release(&c->out);
	}
	coord_close(&c->leases);
	sql_close(&c->db);
}

void coordinator_give(struct coordinator *c, struct job *j)
{
	if (queue_add(&c->in, j, QUEUE_FOREVER) != ST_OK)
		job_free(j);
}

struct job *coordinator_take(struct coordinator *c)
{
	void *item;

	return queue_take(&c->out, 0, &item) == ST_OK ? item : NULL;
}
