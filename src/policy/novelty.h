/*
 * novelty.h - does this family of URLs still bring anything new?
 *
 * URLs of one host that differ only in numbers, dates, hashes, names at the end
 * and parameter values belong to one template: /shop/N/?color=&size=.  Programs
 * (viewtopic.php?t=) and namespaces (Category:) have templates of their own; sessions
 * and campaigns make none.  Templates of one path (whatever the parameters) share a
 * first number of requests for nothing; from then on a template lives on what it
 * earned: a page that was wholly new pays for a number of further requests, one with a
 * little new text for a share of it.  So an endless calendar or a facet explosion ends
 * by itself, and a rich archive never notices.  What exceeds its credit is held back,
 * not dropped: it goes on when the template earns more, and when its site has nothing
 * else to ask some of it is tried, for as long as that brings anything.  A template
 * without parameters, or with one, that has an end (trying it finds no more of it) is
 * asked on until at most one in `first` of the rest can be new, with 95 % certainty.
 *
 * A page that was asked for under a URL that differs only in what seldom matters (http
 * or https, www. or m., session, campaign, case, order of parameters, the last slash) is
 * probably known.  Such URLs are templates of their own: they live on what they bring,
 * and never at the expense of pages that nobody has asked for.
 *
 * A zeroed struct with its settings is empty.  Pure; one owner.
 */
#ifndef POLICY_NOVELTY_H
#define POLICY_NOVELTY_H

#include "base/map.h"
#include "policy/asked_pages.h"
#include "url/url.h"

struct novelty_settings {
	uint32_t first;     /* requests a path has for nothing; 0: no limit.  Two fifths
			       until it has shown a page unlike any other */
	uint32_t per_novel; /* further requests that one new page pays for */
};

struct url_template {
	uint64_t hash;
	uint32_t asked;        /* or promised to be */
	uint64_t points;       /* per cent of new text in its new pages, summed up */
	uint64_t points_tried; /* when some of it was last tried */
	uint32_t path;         /* index of its path's */
	uint16_t trial;        /* how many may be, at once */
	uint16_t tried;        /* how many were, then */
	uint16_t trials;       /* without anything new since */
	uint16_t refused;      /* of the last trial: not asked after all */
	bool is_variant;       /* see struct template_key */
	uint16_t grown;        /* trials in a row that found more of it */
	uint32_t vain;         /* answers since the last page unlike any other */
	uint32_t found_tried;  /* asked or held when some of it was last tried */
	/* of a path: */
	uint32_t borrowed; /* requests of its templates that nothing paid for */
	uint32_t siblings; /* its templates */
	uint32_t wasted;   /* tried without anything new since */
	uint32_t refunded; /* of what was borrowed, for pages unlike any other */
	uint32_t unlike;   /* pages unlike any other */
	/* of a host: */
	uint32_t worth; /* pages with new text */
};

/* Which counts a URL touches. */
struct template_key {
	uint64_t own, path, host;
	uint64_t page; /* the same for URLs that most servers take for one page */
	/* Its page is probably known, or it has several parameters, which are mostly
	 * views of what another URL shows: not worth asking to the end. */
	bool is_variant;
};

struct novelty {
	struct novelty_settings settings;
	struct map by_hash; /* to the index in v */
	struct url_template *v;
	size_t n, cap;
	struct asked_pages pages;
	struct map moved; /* pages whose request went to a redirect */
};

void novelty_release(struct novelty *t);
/* The template of a URL as text, for people; its hash is what the table knows. */
void url_template_format(const struct url *u, struct buf *to);
struct template_key url_template_key(const struct url *u, struct buf *scratch);
/* The state of a template, made when new; lives until the next call. */
struct url_template *novelty_get(struct novelty *t, uint64_t hash);
/* NULL when nothing is known of it. */
const struct url_template *novelty_find(const struct novelty *t, uint64_t hash);

/* The counts of a URL whose page is probably known; others than those of `key`. */
struct template_key novelty_again(struct template_key key);
/* Whether the page of `key` was noted, and to note it, or to forget it again. */
bool novelty_was_asked(const struct novelty *t, struct template_key key);
void novelty_note_page(struct novelty *t, struct template_key key, bool asked);

/* The request of a page went to a URL that redirects to another one of it: that one has
 * it instead.  And whether it has, once. */
void novelty_move(struct novelty *t, struct template_key key);
bool novelty_take_moved(struct novelty *t, struct template_key key);

/* Could one more be asked, as things are? */
bool novelty_may_ask(const struct novelty *t, struct template_key key);
/* May one more be asked?  If so it is counted. */
bool novelty_ask(struct novelty *t, struct template_key key);
/* A number for the URLs of this template that are held: never 0, the same for ever. */
uint32_t novelty_hold(struct novelty *t, struct template_key key);
/* Of `held` that are: how many it has earned, or has for nothing.  They are counted as
 * asked. */
uint32_t novelty_credit(struct novelty *t, struct template_key key, uint32_t held);
/* The same, for nothing, since its site has nothing else to ask; 0: tried in vain. */
uint32_t novelty_try(struct novelty *t, uint32_t hold, uint32_t held);
/* One that was let go by novelty_credit() or novelty_try() is never asked. */
void novelty_refuse(struct novelty *t, struct template_key key);
/* One that was counted is not asked after all, for now. */
void novelty_unask(struct novelty *t, struct template_key key);
/*
 * Its answer came.  `new_percent` of its text was nowhere on its site before.  That
 * a page is new is enough, but not where parameters are combined at will: there
 * every page is another selection of the same, and a tenth of it must be new text.
 * A page unlike any other that repeats the text of its site (a list of what was seen,
 * a picture) costs its path nothing, as far as the host has proved worth it.
 * Says whether it was worth asking for: a tenth of it was new.
 */
bool novelty_answer(struct novelty *t, struct template_key key, bool novel,
		    unsigned new_percent);
#endif
