/*
 * bgp_order.h - the order in which the triples of a pattern are joined, and how each is
 * read.  Only for this room.
 */
#ifndef QUERY_BGP_ORDER_H
#define QUERY_BGP_ORDER_H

#include "query/bgp.h"

static inline const struct slot *slot_of(const struct step *t, int i)
{
	return i == 0 ? &t->s : i == 1 ? &t->p : &t->o;
}

/* Which index serves a search with these positions bound, and by how many columns. */
enum order choose_order(bool s, bool p, bool o, unsigned *ret_bound);
/* Put the steps in order, choose their access, estimate their rows. */
void bgp_order(struct exec *x, struct bgp *b);
#endif
