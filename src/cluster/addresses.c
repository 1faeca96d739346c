/*
 * addresses.c - one node per address in the whole cluster.
 *
 * An address is claimed when a name leads there, for a slice of time; its lease is
 * renewed in bulk while the slice lasts, with the last request and the pause that follows
 * it, so that the next owner keeps the pause.  Then the name is resolved and the address
 * is claimed anew, which gives another node its turn.
 */
#include <string.h>

#include "base/alloc.h"
#include "cluster/node.h"
#include "engine/steps.h"

#define SLICE_MS ((int64_t)60000)
#define BUSY_MS  ((int64_t)3000) /* until another node's address is asked for again */

/* The name of the lease; of IPv6 the network of a site, which is one machine or few. */
static uint32_t find(struct node *n, const struct ip *ip)
{
	cleanup(buf_release) struct buf name = { 0 };
	struct ip net = *ip;
	size_t before = n->names.n;

	if (net.n == 16)
		memset(net.bytes + 8, 0, 8);
	buf_add_ip(&name, &net);
	if (net.n == 16)
		buf_add(&name, STR("/64"));
	uint32_t id = intern_add(&n->names, buf_str(&name));
	if (n->names.n > before) {
		VEC_RESERVE(n->addresses, n->addresses_cap, n->names.n);
		n->addresses[id] = (struct address){ .used_ms = INT64_MIN };
	}
	return id;
}

static void note_site(struct node *n, uint32_t site, uint32_t address)
{
	size_t before = n->of_site_cap;

	VEC_RESERVE(n->of_site, n->of_site_cap, (size_t)site + 1);
	if (n->of_site_cap > before)
		memset(n->of_site + before, 0,
		       (n->of_site_cap - before) * sizeof(*n->of_site));
	n->of_site[site] = address + 1;
}

void addresses_claim(struct node *n, uint32_t site, const struct ip *ip, void *ticket)
{
	uint32_t id = find(n, ip);
	struct ticket t = { ticket, id, site };

	VEC_ADD(n->tickets, n->n_tickets, n->tickets_cap, t);
}

void addresses_note_request(struct node *n, uint32_t site)
{
	struct frontier *f = &n->c->frontier;

	if (site >= n->of_site_cap || n->of_site[site] == 0)
		return;
	struct address *a = &n->addresses[n->of_site[site] - 1];
	const struct lane *l = &f->lanes.v[f->sites.v[site].lanes.id[LANE_HOST]].lane;
	const struct politeness *p = &f->lanes.rules[LANE_HOST];

	a->used_ms = node_now_ms(n);
	a->delay_ms = MAX(l->wait_ms, MAX(l->crawl_delay_ms, p->min_ms));
}

bool addresses_hold(const struct node *n)
{
	return n->held == 0 || node_now_ms(n) < n->horizon_ms;
}

static struct coord_claim claim_of(struct node *n, struct job *j, uint32_t id)
{
	const struct address *a = &n->addresses[id];

	return (struct coord_claim){
		.name = arena_copy(&j->a, intern_str(&n->names, id)),
		.used_ms_ago = a->used_ms == INT64_MIN ? -1 : node_now_ms(n) - a->used_ms,
		.delay_ms = a->delay_ms,
	};
}

/* --- asking --- */

/* All that somebody waits for, in one statement. */
static void ask(struct node *n)
{
	if (n->claiming || n->n_tickets == 0)
		return;
	struct job *j = job_new(JOB_CLAIM);

	j->asked_ms = node_now_ms(n);
	j->claims = arena_alloc(&j->a, n->n_tickets * sizeof(*j->claims));
	for (size_t i = 0; i < n->n_tickets; i++) {
		struct address *a = &n->addresses[n->tickets[i].address];

		if (!a->is_asked)
			j->claims[j->n++] = claim_of(n, j, n->tickets[i].address);
		a->is_asked = true;
	}
	n->claiming = true;
	n->n_claimed = n->n_tickets;
	coordinator_give(&n->coordinator, j);
}

/* Those whose slice lasts are renewed, the others given back. */
static void renew(struct node *n)
{
	int64_t now = node_now_ms(n);
	struct job *keep, *leave;

	if (n->renewing || n->held == 0 || now < n->next_renewal_ms)
		return;
	keep = job_new(JOB_CLAIM);
	leave = job_new(JOB_GIVE_BACK);
	keep->is_renewal = true;
	keep->asked_ms = leave->asked_ms = now;
	keep->claims = arena_alloc(&keep->a, n->held * sizeof(*keep->claims));
	leave->claims = arena_alloc(&leave->a, n->held * sizeof(*leave->claims));
	for (uint32_t id = 0; id < n->names.n; id++) {
		struct address *a = &n->addresses[id];

		if (a->token == 0 || a->is_asked)
			continue;
		struct job *to = a->needed_ms > now ? keep : leave;
		to->claims[to->n++] = claim_of(n, to, id);
		if (to == leave) {
			a->token = 0;
			n->held--;
		}
	}
	if (leave->n > 0)
		coordinator_give(&n->coordinator, leave);
	else
		job_free(leave);
	n->next_renewal_ms = now + n->place->lease_ms / 3;
	n->renewing = true;
	coordinator_give(&n->coordinator, keep);
}

void addresses_step(struct node *n)
{
	ask(n);
	renew(n);
}

void addresses_give_all_back(struct node *n)
{
	struct job *j = job_new(JOB_GIVE_BACK);

	j->asked_ms = node_now_ms(n);
	j->claims = arena_alloc(&j->a, (n->held + 1) * sizeof(*j->claims));
	for (uint32_t id = 0; id < n->names.n; id++)
		if (n->addresses[id].token > 0) {
			j->claims[j->n++] = claim_of(n, j, id);
			n->addresses[id].token = 0;
		}
	n->held = 0;
	coordinator_give(&n->coordinator, j);
}

/* --- answers --- */

/* Sites that led there look again before they fetch. */
static void lost(struct node *n, uint32_t id)
{
	struct frontier *f = &n->c->frontier;

	for (uint32_t s = 0; s < f->sites.origins.n && s < n->of_site_cap; s++)
		if (n->of_site[s] == id + 1)
			f->sites.v[s].address_until_ms = 0;
}

static void take_claim(struct node *n, const struct job *j, const struct coord_claim *k)
{
	uint32_t id = intern_find(&n->names, k->name);

	if (id == INTERN_NONE)
		return;
	struct address *a = &n->addresses[id];
	bool was_held = a->token > 0;

	a->is_asked = false;
	if (j->st != ST_OK)
		return;
	a->token = k->token;
	n->held += (size_t)(!was_held && k->token > 0);
	n->held -= (size_t)(was_held && k->token == 0);
	if (was_held && k->token == 0)
		lost(n, id);
	if (k->token == 0 || j->is_renewal)
		return;
	a->needed_ms = j->asked_ms + SLICE_MS;
	/* Another node's last request, not ours. */
	if (k->used_ms_ago >= 0 && j->asked_ms - k->used_ms_ago > a->used_ms) {
		a->used_ms = j->asked_ms - k->used_ms_ago;
		a->delay_ms = k->delay_ms;
	}
}

/* Tickets whose address is decided; the others stay. */
static void tell_waiting(struct node *n)
{
	size_t kept = 0, told = n->n_tickets;

	for (size_t i = 0; i < told; i++) {
		struct ticket t = n->tickets[i];
		struct address *a = &n->addresses[t.address];

		if (i >= n->n_claimed) { /* it came while the others were asked for */
			n->tickets[kept++] = t;
			continue;
		}
		int64_t pause = a->used_ms == INT64_MIN
					? 0
					: a->used_ms + a->delay_ms - node_now_ms(n);

		note_site(n, t.site, t.address);
		crawl_address_decided(n->c, t.ticket, a->token > 0,
				      a->token > 0 ? MAX(pause, (int64_t)0) : BUSY_MS);
	}
	/* What came while they were told stands behind them. */
	memmove(n->tickets + kept, n->tickets + told,
		(n->n_tickets - told) * sizeof(*n->tickets));
	n->n_tickets -= told - kept;
}

void addresses_answered(struct node *n, struct job *j)
{
	size_t held_before = n->held;

	if (j->kind == JOB_GIVE_BACK)
		return;
	for (size_t i = 0; i < j->n; i++)
		take_claim(n, j, &j->claims[i]);
	int64_t until = j->asked_ms + n->place->lease_ms * 2 / 3;
	if (j->is_renewal) {
		n->renewing = false;
		if (j->st == ST_OK)
			n->horizon_ms = until;
		return;
	}
	n->claiming = false;
	if (j->st == ST_OK && held_before == 0 && n->held > 0) {
		n->horizon_ms = until;
		n->next_renewal_ms = j->asked_ms + n->place->lease_ms / 3;
	}
	tell_waiting(n);
}
