#include "policy/novelty.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/hash.h"

#define SEGMENTS_KEPT 4 /* literal ones; further down only their number counts */
#define HOST_SHARE    4 /* so many pages of worth pay for one that is only unlike others */
#define TRIAL_FIRST   8 /* of what is held, tried at once; twice as many if it paid */
#define TRIAL_MOST    256
#define TRIAL_PERCENT 5 /* on average: with less, a page of it here and there is luck */
#define TRIALS_VAIN   2 /* who brought nothing by then will not */
#define VAIN_FACTOR                                                         \
	3 /* n answers in vain: less than 3 / n of the rest is new, at 95 % \
	   */
#define ENDED_SHARE   8 /* who finds fewer than one more for so many has an end */
#define GROWN_MOST    2 /* trials in a row that found more of it, and then it has no end */
#define PARAMS_KEPT   16
#define MOVES_MOST    3  /* of a page; sessions may redirect to ever new ones */
#define WORTH_PERCENT 10 /* less may be a counter, a date, an advertisement */
#define SIBLINGS_FEW  12 /* more ways to combine parameters are a selection form */
#define WASTED_MOST   (SIBLINGS_FEW * TRIALS_VAIN * TRIAL_FIRST)

void novelty_release(struct novelty *t)
{
	map_release(&t->by_hash);
	free(t->v);
	asked_pages_release(&t->pages);
	map_release(&t->moved);
	*t = (struct novelty){ .settings = t->settings };
}

static bool has_digit(struct str s)
{
	for (size_t i = 0; i < s.n; i++)
		if (ascii_is_digit(s.p[i]))
			return true;
	return false;
}

/* The extension of a file name, with its dot: part of what kind of page it is. */
static struct str extension(struct str s)
{
	size_t dot = str_rfind_char(s, '.');

	if (dot == STR_NONE || dot == 0 || s.n - dot > 6 || has_digit(str_skip(s, dot)))
		return STR("");
	return str_skip(s, dot);
}

/* Programs whose parameters say what is shown, when they have any. */
static bool is_program(struct str extension)
{
	static const struct str all[] = { STR(".php"), STR(".asp"), STR(".aspx"),
					  STR(".jsp"), STR(".do"),  STR(".cgi"),
					  STR(".pl"),  STR(".cfm") };

	for (size_t i = 0; i < COUNT(all); i++)
		if (str_eq_nocase(extension, all[i]))
			return true;
	return false;
}

/* "Category:" of "Category:Birds", as wikis have them. */
static struct str namespace_of(struct str s)
{
	size_t colon = str_find_char(s, ':');

	if (colon == STR_NONE || colon == 0 || colon + 1 == s.n)
		return STR("");
	for (size_t i = 0; i < colon; i++)
		if (!ascii_is_alpha(s.p[i]) && s.p[i] != '_')
			return STR("");
	return str_slice(s, 0, colon + 1);
}

static void add_last_segment(struct buf *to, struct str s, bool has_query)
{
	struct str kind = extension(s);

	if (has_query && is_program(kind) && !has_digit(s)) {
		buf_add(to, s);
		return;
	}
	buf_add(to, namespace_of(s));
	buf_add_char(to, '*');
	buf_add(to, kind);
}

/* Names are literal while they are few: the last one of a path is where the many are. */
static void add_segment(struct buf *to, struct str s, unsigned nr)
{
	if (has_digit(s))
		buf_add_char(to, 'N');
	else if (nr < SEGMENTS_KEPT)
		buf_add(to, s);
	else
		buf_add_char(to, '*');
}

/* Names that say who looks and where he comes from, not at what. */
static bool selects_nothing(struct str name)
{
	static const struct str all[] = {
		STR("sid"),        STR("phpsessid"), STR("jsessionid"), STR("sessionid"),
		STR("session_id"), STR("session"),   STR("oscsid"),     STR("zenid"),
		STR("cfid"),       STR("cftoken"),   STR("gclid"),      STR("fbclid")
	};

	for (size_t i = 0; i < COUNT(all); i++)
		if (str_eq_nocase(name, all[i]))
			return true;
	return str_starts_nocase(name, STR("utm_"));
}

static int by_text(const void *a, const void *b)
{
	return str_cmp(*(const struct str *)a, *(const struct str *)b);
}

/* The names of the parameters, sorted, each once; how many there are. */
static size_t add_parameters(struct buf *to, struct str query)
{
	struct str names[PARAMS_KEPT], part;
	size_t n = 0, different = 0;

	while (n < PARAMS_KEPT && str_take_until(&query, '&', &part)) {
		names[n] = str_slice(part, 0, str_find_char(part, '='));
		n += !selects_nothing(names[n]);
	}
	qsort(names, n, sizeof(*names), by_text);
	for (size_t i = 0; i < n; i++) {
		if (i > 0 && str_eq(names[i], names[i - 1]))
			continue;
		buf_add_char(to, i == 0 ? '?' : '&');
		buf_add(to, names[i]);
		buf_add_char(to, '=');
		different++;
	}
	return different;
}

/* A trap is the same one under all names that a site goes by. */
static struct str bare_authority(const struct url *u)
{
	struct str s = url_authority(u);

	if (!str_take_prefix(&s, STR("www.")) && !str_take_prefix(&s, STR("m.")))
		str_take_prefix(&s, STR("mobile."));
	return s;
}

static void format_path(const struct url *u, struct buf *to)
{
	struct str path = u->path, s;
	unsigned nr = 0;

	buf_add(to, bare_authority(u));
	str_take_char(&path, '/');
	while (path.n > 0) {
		size_t slash = str_find_char(path, '/');

		s = str_slice(path, 0, slash);
		path = slash == STR_NONE ? STR("") : str_skip(path, slash + 1);
		s = str_slice(s, 0, str_find_char(s, ';')); /* ";jsessionid=" */
		buf_add_char(to, '/');
		if (slash == STR_NONE && s.n > 0)
			add_last_segment(to, s, u->query.n > 0);
		else
			add_segment(to, s, nr);
		nr++;
	}
	if (u->path.n > 0 && u->path.p[u->path.n - 1] == '/')
		buf_add_char(to, '/');
}

void url_template_format(const struct url *u, struct buf *to)
{
	format_path(u, to);
	add_parameters(to, u->query);
}

/* --- URLs that differ in what seldom matters --- */

/* "a/b;session=1/index.html" as "a/b": what most servers make of it. */
static void add_page_path(struct buf *to, struct str path)
{
	struct str s;

	for (str_take_char(&path, '/'); path.n > 0;) {
		size_t slash = str_find_char(path, '/');

		s = str_slice(path, 0, slash);
		path = slash == STR_NONE ? STR("") : str_skip(path, slash + 1);
		s = str_slice(s, 0, str_find_char(s, ';'));
		if (s.n == 0 || (path.n == 0 && str_starts_nocase(s, STR("index."))))
			continue;
		buf_add_char(to, '/');
		for (size_t i = 0; i < s.n; i++)
			buf_add_char(to, ascii_lower(s.p[i]));
	}
}

static void add_page_query(struct buf *to, struct str query)
{
	struct str params[PARAMS_KEPT], part;
	size_t n = 0;

	while (n < PARAMS_KEPT && str_take_until(&query, '&', &part))
		if (!selects_nothing(str_slice(part, 0, str_find_char(part, '='))))
			params[n++] = part;
	qsort(params, n, sizeof(*params), by_text);
	for (size_t i = 0; i < n; i++) {
		buf_add_char(to, '&');
		buf_add(to, params[i]);
	}
	buf_add(to, query); /* of very many the rest as it is */
}

static uint64_t page_hash(const struct url *u, struct buf *scratch)
{
	buf_reset(scratch);
	buf_add(scratch, bare_authority(u));
	add_page_path(scratch, u->path);
	if (u->query.n > 0)
		add_page_query(scratch, u->query);
	return hash64_seeded(buf_str(scratch), 3);
}

struct template_key url_template_key(const struct url *u, struct buf *scratch)
{
	struct template_key key = { .host = hash64_seeded(bare_authority(u), 2),
				    .page = page_hash(u, scratch) };

	buf_reset(scratch);
	format_path(u, scratch);
	/* Pages and what is made of parameters are not to pay for each other. */
	if (u->query.n > 0)
		buf_add_char(scratch, '?');
	key.path = hash64_seeded(buf_str(scratch), 1);
	if (u->query.n > 0)
		key.is_variant = add_parameters(scratch, u->query) > 1;
	key.own = hash64(buf_str(scratch));
	return key;
}

struct template_key novelty_again(struct template_key key)
{
	key.own = hash_mix(~key.own);
	key.path = hash_mix(~key.path);
	key.is_variant = true;
	return key;
}

bool novelty_was_asked(const struct novelty *t, struct template_key key)
{
	return asked_pages_has(&t->pages, key.page);
}

void novelty_note_page(struct novelty *t, struct template_key key, bool asked)
{
	if (asked)
		asked_pages_add(&t->pages, key.page);
	else
		asked_pages_remove(&t->pages, key.page);
}

/* Of each page that moved: how often, and in the last bit whether one is due. */
void novelty_move(struct novelty *t, struct template_key key)
{
	uint64_t *moves = map_add(&t->moved, key.page, NULL);

	if (*moves / 2 < MOVES_MOST)
		*moves = (*moves / 2 + 1) * 2 + 1;
}

bool novelty_take_moved(struct novelty *t, struct template_key key)
{
	uint64_t *moves = map_find(&t->moved, key.page);
	bool is_due = moves && *moves % 2;

	if (is_due)
		--*moves;
	return is_due;
}

struct url_template *novelty_get(struct novelty *t, uint64_t hash)
{
	bool is_new;
	uint64_t *index = map_add(&t->by_hash, hash, &is_new);

	if (is_new) {
		*index = t->n;
		VEC_ADD(t->v, t->n, t->cap, (struct url_template){ .hash = hash });
	}
	return &t->v[*index];
}

const struct url_template *novelty_find(const struct novelty *t, uint64_t hash)
{
	const uint64_t *index = map_find(&t->by_hash, hash);

	return index ? &t->v[*index] : NULL;
}

static uint64_t earned(const struct novelty *t, const struct url_template *own)
{
	return (uint64_t)t->settings.per_novel * own->points / 100;
}

/* Both, made when new; until the next call. */
static struct url_template *get_both(struct novelty *t, struct template_key key,
				     struct url_template **ret_path)
{
	novelty_get(t, key.path);
	struct url_template *own = novelty_get(t, key.own);

	*ret_path = novelty_get(t, key.path);
	own->path = (uint32_t)(*ret_path - t->v);
	own->is_variant = key.is_variant;
	return own;
}

/*
 * Requests that its path has for nothing.  Where forty answers brought no page of its own
 * less than one in thirteen does (with 95 % certainty), and what is held is still tried.
 */
static uint32_t free_of(const struct novelty *t, const struct url_template *path)
{
	return path->unlike > 0 ? t->settings.first : (t->settings.first * 2 + 4) / 5;
}

bool novelty_may_ask(const struct novelty *t, struct template_key key)
{
	const struct url_template *own = novelty_find(t, key.own),
				  *path = novelty_find(t, key.path);

	return t->settings.first == 0 || !path || (own && own->asked < earned(t, own)) ||
	       path->borrowed < free_of(t, path);
}

bool novelty_ask(struct novelty *t, struct template_key key)
{
	struct url_template *path, *own = get_both(t, key, &path);

	if (t->settings.first != 0 && own->asked >= earned(t, own)) {
		if (path->borrowed >= free_of(t, path))
			return false;
		path->borrowed++;
	}
	path->siblings += own->asked++ == 0;
	return true;
}

uint32_t novelty_hold(struct novelty *t, struct template_key key)
{
	struct url_template *path, *own = get_both(t, key, &path);

	return (uint32_t)(own - t->v) + 1;
}

uint32_t novelty_credit(struct novelty *t, struct template_key key, uint32_t held)
{
	struct url_template *path, *own = get_both(t, key, &path);
	uint64_t all = earned(t, own);
	uint32_t n = all > own->asked ? (uint32_t)MIN(all - own->asked, held) : 0;
	uint32_t free = free_of(t, path) - MIN(path->borrowed, free_of(t, path));
	uint32_t lent = MIN(held - n, free); /* a refund is lent again */

	path->borrowed += lent;
	own->asked += n + lent;
	return n + lent;
}

/* What came of the last trial. */
static bool settle_trial(struct url_template *own, struct url_template *path)
{
	uint64_t gained = own->points - own->points_tried;
	uint32_t asked = own->tried - MIN(own->tried, own->refused);
	bool paid = gained > 0 && gained >= (uint64_t)asked * TRIAL_PERCENT;

	if (paid) {
		own->trial = (uint16_t)MIN(own->trial * 2, TRIAL_MOST);
		own->trials = 0;
		path->wasted = 0;
	} else if (own->trials > 0 && asked == 0) {
		own->trials--; /* nothing was asked: not in vain */
	}
	return paid;
}

/*
 * Of a template that has an end all may be asked: how many more, until it is certain
 * enough that hardly any of them is new.  A trap has none: each page leads to others.
 */
static uint32_t rest_of(struct novelty *t, struct url_template *own, uint32_t held)
{
	struct url_template *path = &t->v[own->path];
	uint32_t vain_most = VAIN_FACTOR * t->settings.first;
	uint32_t found = own->asked + own->refused + held;
	uint32_t more = found - MIN(found, own->found_tried);

	if (own->is_variant || path->siblings > SIBLINGS_FEW || own->vain >= vain_most)
		return 0;
	/* What a retracted rule had skipped makes it grow, too: it is looked at again. */
	if (more * ENDED_SHARE > own->tried) {
		own->grown = (uint16_t)MIN(own->grown + 1, GROWN_MOST + 1);
		bool again = own->grown <= GROWN_MOST && path->wasted < WASTED_MOST;
		path->wasted += again ? TRIAL_FIRST : 0;
		return again ? MIN((uint32_t)TRIAL_FIRST, held) : 0;
	}
	own->grown = 0;
	return MIN(MIN(held, vain_most - own->vain), (uint32_t)TRIAL_MOST);
}

static uint32_t start_trial(struct url_template *own, struct url_template *path,
			    uint32_t n, uint32_t held)
{
	own->found_tried = own->asked + held;
	own->points_tried = own->points;
	own->tried = (uint16_t)n;
	own->refused = 0;
	path->siblings += own->asked == 0;
	own->asked += n;
	return n;
}

uint32_t novelty_try(struct novelty *t, uint32_t hold, uint32_t held)
{
	struct url_template *own = &t->v[hold - 1], *path = &t->v[own->path];
	bool paid = settle_trial(own, path);

	/* Where parameters are combined at will there are templates without end: they
	 * are tried as if they were a few. */
	if (own->trials == TRIALS_VAIN || (!paid && path->wasted >= WASTED_MOST)) {
		uint32_t rest = rest_of(t, own, held);

		return rest > 0 ? start_trial(own, path, rest, held) : 0;
	}
	own->trial = (uint16_t)MAX(own->trial, TRIAL_FIRST);
	own->trials++;
	uint32_t n = MIN((uint32_t)own->trial, held);
	path->wasted += n;
	return start_trial(own, path, n, held);
}

void novelty_refuse(struct novelty *t, struct template_key key)
{
	struct url_template *path, *own = get_both(t, key, &path);

	own->refused++;
	own->asked -= own->asked > 0;
	path->wasted -= path->wasted > 0;
}

void novelty_unask(struct novelty *t, struct template_key key)
{
	struct url_template *own = novelty_get(t, key.own);

	own->asked -= own->asked > 0;
}

static void reward(struct novelty *t, struct template_key key, bool worth)
{
	novelty_get(t, key.host)->worth += worth;
	uint32_t may = novelty_get(t, key.host)->worth / HOST_SHARE;
	struct url_template *path = novelty_get(t, key.path);
	if (worth || path->borrowed == 0 || path->refunded >= may)
		return;
	path->borrowed--;
	path->refunded++;
}

bool novelty_answer(struct novelty *t, struct template_key key, bool novel,
		    unsigned new_percent)
{
	bool combined = novelty_get(t, key.path)->siblings > SIBLINGS_FEW;
	bool counts = novel && new_percent >= (combined ? WORTH_PERCENT : 1);
	struct url_template *own = novelty_get(t, key.own);

	own->vain = counts ? 0 : own->vain + 1;
	own->points += counts ? new_percent : 0;
	bool worth = counts && new_percent >= WORTH_PERCENT;
	if (novel) {
		novelty_get(t, key.path)->unlike++;
		reward(t, key, worth);
	}
	return worth;
}
