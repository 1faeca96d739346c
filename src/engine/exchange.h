/*
 * exchange.h - a crawl as one of several nodes, as its loop sees the others.
 *
 * What is found goes out, to whoever owns its domain; what others found of our domains
 * comes in.  A crawl without an exchange is alone.  cluster/ has the implementation; all
 * calls are the loop thread's.
 */
#ifndef ENGINE_EXCHANGE_H
#define ENGINE_EXCHANGE_H

#include "journal/journal.h"
#include "url/host.h"

struct crawl;
struct crawl_item;
struct crawl_exchange;
struct frontier_page;

struct exchange_ops {
	/* Before the journal is replayed; the frontier is open. */
	enum status (*prepare)(struct crawl_exchange *x, struct crawl *c,
			       struct diag *why);
	/* From the journal: so far the log of a partition was applied. */
	void (*restore)(struct crawl_exchange *x, const struct journal_applied *a);
	/* The crawl runs. */
	enum status (*open)(struct crawl_exchange *x, struct diag *why);
	/* Links that are wanted: all of them leave, into the records of `i`. */
	void (*send)(struct crawl_exchange *x, struct crawl_item *i,
		     const struct frontier_page *page, const struct discovery *links,
		     size_t n);
	/* Every turn of the loop. */
	void (*step)(struct crawl_exchange *x);
	/* The addresses are still ours, and what was found is not too far from being
	 * sent.
	 */
	bool (*may_fetch)(struct crawl_exchange *x);
	/* A request of this site begins. */
	void (*note_request)(struct crawl_exchange *x, uint32_t site);
	/* May we ask this address?  crawl_address_decided() tells, with the ticket. */
	void (*claim)(struct crawl_exchange *x, uint32_t site, const struct ip *ip,
		      void *ticket);
	/* Nothing is left here.  May this node sweep up: are the others quiet, too? */
	bool (*may_settle)(struct crawl_exchange *x);
	/* Nor after sweeping: is nothing left anywhere? */
	bool (*is_over)(struct crawl_exchange *x);
	/* Before the writer ends: what was found is sent. */
	void (*close)(struct crawl_exchange *x);
};

struct crawl_exchange {
	const struct exchange_ops *ops;
};

/* A site whose address was asked for among the nodes. */
struct exchange_ticket {
	uint32_t site;
	struct ip ip;
};

/* The address of the ticket is ours, after so long a pause; or another's. Frees it. */
void crawl_address_decided(struct crawl *c, void *ticket, bool is_ours, int64_t wait_ms);
/* offer.c: links that came in. */
must_use enum status crawl_offer_here(struct crawl *c, struct crawl_item *i,
				      const struct frontier_page *page,
				      struct discovery *links, size_t n,
				      struct diag *why);
/* offer.c: another node has done with the URL; out of the queue, if it is there. */
must_use enum status crawl_done_elsewhere(struct crawl *c, struct str url,
					  struct u128 key, struct diag *why);
#endif
