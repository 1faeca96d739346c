#include "query/bgp.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

static struct slot slot_from(struct exec *x, const struct node *n)
{
	if (n->is_var)
		return (struct slot){ .is_var = true, .var = n->var };
	return (struct slot){ .id = exec_intern(x, n->term) };
}

/* Constants lead: then all look-ups fall into one range of the index. */
static enum order lookup_order(const struct step *t)
{
	if (t->s.is_var && !t->o.is_var)
		return ORDER_POS;
	return !t->s.is_var && !t->o.is_var && t->p.is_var ? ORDER_OSP : ORDER_SPO;
}

struct bgp *bgp_new(struct exec *x, const struct triples *t, const bool *seeds)
{
	struct bgp *b = exec_tree(x, sizeof(*b));

	(void)!exec_take_memory(x, t->n * sizeof(*b->steps));
	b->n = t->n;
	b->steps = xcalloc(t->n + 1, sizeof(*b->steps));
	if (seeds) {
		b->seeds = vars_new(x);
		memcpy(b->seeds, seeds, x->n_vars);
	}
	for (size_t i = 0; i < t->n; i++) {
		struct step *s = &b->steps[i];

		s->s = slot_from(x, &t->v[i].subject);
		s->o = slot_from(x, &t->v[i].object);
		s->path = t->v[i].path;
		if (!s->path)
			s->p = slot_from(x, &t->v[i].predicate);
		s->lookup = lookup_order(s);
	}
	return b;
}

void bgp_add_filter(struct exec *x, struct bgp *b, const struct expr *e)
{
	(void)x;
	VEC_ADD(b->filters, b->n_filters, b->filters_cap, e);
}

void bgp_collapse(struct bgp *b, const bool *read)
{
	b->read = read;
}

void bgp_release(struct bgp *b)
{
	for (size_t i = 0; i < b->n; i++) {
		struct step *s = &b->steps[i];

		for (int o = 0; o < ORDERS; o++)
			if (s->open[o])
				scan_close(&s->scans[o]);
		if (s->counter_open)
			scan_close(&s->counter);
		free(s->batch.cells);
		table_release(&s->hash);
		free(s->filters);
	}
	free(b->steps);
	free(b->filters);
	b->steps = NULL;
	b->n = 0;
}

/* --- running --- */

static bool run_from(struct bgp_run *r, size_t at);

static bool filters_hold(struct bgp_run *r, const struct step *t)
{
	for (size_t i = 0; i < t->n_filters; i++)
		if (!expr_holds(r->x, t->filters[i], r->row))
			return false;
	return true;
}

/* Bind a variable; false when it has another value already. */
static inline bool bind(uint64_t *row, const struct slot *s, uint64_t id, bool *ret_bound)
{
	*ret_bound = false;
	if (!s->is_var)
		return true;
	if (row[s->var])
		return row[s->var] == id;
	row[s->var] = id;
	*ret_bound = true;
	return true;
}

static inline void unbind(uint64_t *row, const struct slot *s, bool bound)
{
	if (bound)
		row[s->var] = ID_NONE;
}

/* One triple of the pattern: bind, ask the filters, go on with the next step. */
bool bgp_take(struct bgp_run *r, size_t at, uint64_t s, uint64_t p, uint64_t o)
{
	struct step *t = &r->b->steps[at];
	bool bs, bp = false, bo = false, go_on = true;

	if (!exec_tick(r->x))
		return false;
	if (bind(r->row, &t->s, s, &bs) && bind(r->row, &t->p, p, &bp) &&
	    bind(r->row, &t->o, o, &bo) && filters_hold(r, t)) {
		t->rows += r->x->times;
		go_on = run_from(r, at + 1);
	}
	unbind(r->row, &t->o, bo);
	unbind(r->row, &t->p, bp);
	unbind(r->row, &t->s, bs);
	return go_on;
}

static uint64_t slot_value(const struct slot *s, const uint64_t *row)
{
	return s->is_var ? row[s->var] : s->id;
}

static enum order order_for(const struct step *t, const struct row *spo,
			    unsigned *ret_bound)
{
	bool s = spo->v[1], p = spo->v[2], o = spo->v[3];

	*ret_bound = 1u + s + p + o;
	if (s && p && o)
		return t->lookup;
	if (s)
		return o ? ORDER_OSP : ORDER_SPO;
	if (p)
		return ORDER_POS;
	return o ? ORDER_OSP : ORDER_SPO;
}

/* The default graph may be several merged: a triple counts in the first that has it. */
static bool in_earlier_graph(struct exec *x, const uint64_t *graphs, size_t before,
			     const struct row *spo)
{
	struct row key = *spo;

	for (size_t i = 0; i < before; i++) {
		key.v[0] = graphs[i];
		if (snapshot_count(x->snapshot, ORDER_SPO, &key, 4))
			return true;
	}
	return false;
}

struct scan *bgp_scan(struct bgp_run *r, struct step *t, enum order order)
{
	if (!t->open[order]) {
		scan_open(&t->scans[order], r->x->snapshot, order);
		t->open[order] = true;
	}
	return &t->scans[order];
}

bool bgp_is_damaged(struct exec *x)
{
	return exec_fail(x, ST_CORRUPT, "a block of the index fails its checksum");
}

/* Rows of one order in the graph `graphs[graph]`. */
struct chunk {
	const struct row *rows;
	size_t n;
	enum order order;
	const uint64_t *graphs;
	size_t graph;
};

static bool take_rows(struct bgp_run *r, size_t at, const struct chunk *c)
{
	for (size_t i = 0; i < c->n; i++) {
		struct row q = row_to_spo(&c->rows[i], c->order);

		if (c->graph && in_earlier_graph(r->x, c->graphs, c->graph, &q)) {
			if (!exec_work(r->x, 10))
				return false;
			continue;
		}
		if (!bgp_take(r, at, q.v[1], q.v[2], q.v[3]))
			return false;
	}
	return true;
}

/* Only the objects that the filters can accept: POS is ordered by them. */
static bool scan_ranges(struct bgp_run *r, size_t at, struct scan *scan,
			const struct row *key, struct chunk c)
{
	const struct step *t = &r->b->steps[at];

	for (size_t i = 0; i < t->n_ranges; i++) {
		struct row from = *key;

		from.v[2] = t->ranges[i].low;
		scan_start(scan, key, 2);
		scan_skip(scan, &from, 3);
		while (scan_next(scan, &c.rows, &c.n)) {
			size_t all = c.n;

			while (c.n && c.rows[c.n - 1].v[2] > t->ranges[i].high)
				c.n--;
			if (!take_rows(r, at, &c))
				return false;
			if (c.n < all)
				break;
		}
	}
	return !scan_is_damaged(scan) || bgp_is_damaged(r->x);
}

static bool scan_graph(struct bgp_run *r, size_t at, struct row spo,
		       const uint64_t *graphs, size_t graph)
{
	struct step *t = &r->b->steps[at];
	unsigned bound;
	enum order order = order_for(t, &spo, &bound);
	struct chunk c = { .order = order, .graphs = graphs, .graph = graph };
	struct scan *scan = bgp_scan(r, t, order);

	spo.v[0] = graphs[graph];
	struct row key = row_in_order(&spo, order);
	t->searches++;
	if (t->n_ranges && order == ORDER_POS && bound == 2)
		return scan_ranges(r, at, scan, &key, c);
	scan_start(scan, &key, bound);
	while (scan_next(scan, &c.rows, &c.n))
		if (!take_rows(r, at, &c))
			return false;
	return !scan_is_damaged(scan) || bgp_is_damaged(r->x);
}

static bool is_local(uint64_t id)
{
	return id_tag(id) == TAG_LOCAL;
}

static bool run_scan(struct bgp_run *r, size_t at)
{
	const struct step *t = &r->b->steps[at];
	struct row spo = { { 0, slot_value(&t->s, r->row), slot_value(&t->p, r->row),
			     slot_value(&t->o, r->row) } };
	const uint64_t *graphs;
	size_t n = exec_graphs(r->x, &graphs);

	if (is_local(spo.v[1]) || is_local(spo.v[2]) || is_local(spo.v[3]))
		return true; /* the store has never met the term */
	if (n == 1) {
		unsigned bound;
		enum order order = order_for(t, &spo, &bound);

		spo.v[0] = graphs[0];
		struct row key = row_in_order(&spo, order);
		if (bgp_is_collapsed(t, order, bound))
			return bgp_scan_alike(r, at, &key, order, bound);
	}
	for (size_t i = 0; i < n; i++)
		if (!scan_graph(r, at, spo, graphs, i))
			return false;
	return true;
}

/* --- hash joins --- */

static bool fill_hash(struct bgp_run *r, struct step *t)
{
	struct exec *x = r->x;
	uint64_t *row = xcalloc(x->n_vars + 1, sizeof(*row));
	struct row spo = { { 0, t->s.is_var ? 0 : t->s.id, t->p.is_var ? 0 : t->p.id,
			     t->o.is_var ? 0 : t->o.id } };
	const uint64_t *graphs;
	size_t n_graphs = exec_graphs(x, &graphs), n;
	unsigned bound;
	enum order order = order_for(t, &spo, &bound);
	struct scan *scan = bgp_scan(r, t, order);
	const struct row *rows;

	table_clear(&t->hash);
	for (size_t g = 0; g < n_graphs && x->st == ST_OK; g++) {
		spo.v[0] = graphs[g];
		struct row key = row_in_order(&spo, order);
		scan_start(scan, &key, bound);
		while (x->st == ST_OK && scan_next(scan, &rows, &n))
			for (size_t i = 0; i < n && exec_tick(x); i++) {
				struct row q = row_to_spo(&rows[i], order);
				bool bs, bp = false, bo = false;

				if (bind(row, &t->s, q.v[1], &bs) &&
				    bind(row, &t->p, q.v[2], &bp) &&
				    bind(row, &t->o, q.v[3], &bo) &&
				    (g == 0 || !in_earlier_graph(x, graphs, g, &q)))
					(void)!table_add(x, &t->hash, row);
				unbind(row, &t->o, bo);
				unbind(row, &t->p, bp);
				unbind(row, &t->s, bs);
			}
	}
	free(row);
	table_index(&t->hash);
	t->hash.made = true;
	t->hash.graph = x->graph;
	t->hash.in_graph = x->in_graph;
	return x->st == ST_OK;
}

static uint64_t cell_of(const struct table *h, const uint64_t *cells,
			const struct slot *s)
{
	for (size_t i = 0; s->is_var && i < h->n_vars; i++)
		if (h->vars[i] == s->var)
			return cells[i];
	return s->id;
}

static bool run_hash(struct bgp_run *r, size_t at)
{
	struct step *t = &r->b->steps[at];
	const uint64_t *cells;
	size_t i = 0;

	if (!t->hash.made || t->hash.graph != r->x->graph ||
	    t->hash.in_graph != r->x->in_graph)
		if (!fill_hash(r, t))
			return false;
	t->searches++;
	while (table_next(&t->hash, r->row, &i, &cells))
		if (!bgp_take(r, at, cell_of(&t->hash, cells, &t->s),
			      cell_of(&t->hash, cells, &t->p),
			      cell_of(&t->hash, cells, &t->o)))
			return false;
	return true;
}

/* --- paths --- */

struct pair_sink {
	struct path_sink base;
	struct bgp_run *r;
	size_t at;
};

/*
 * A path of no steps joins a node of the graph with itself, or a term that the
 * pattern itself names; not just any value that a variable happens to have.
 */
static bool is_node(struct exec *x, uint64_t id)
{
	const uint64_t *graphs;
	size_t n = exec_graphs(x, &graphs);

	for (size_t i = 0; i < n; i++) {
		struct row key = { { graphs[i], id } };

		if (snapshot_count(x->snapshot, ORDER_SPO, &key, 2) ||
		    snapshot_count(x->snapshot, ORDER_OSP, &key, 2))
			return true;
	}
	return false;
}

static bool take_pair(struct path_sink *self, uint64_t s, uint64_t o)
{
	struct pair_sink *p = (struct pair_sink *)self;
	const struct step *t = &p->r->b->steps[p->at];

	if (s == o && t->s.is_var && t->o.is_var && !is_node(p->r->x, s))
		return true;
	return bgp_take(p->r, p->at, s, ID_NONE, o);
}

static bool run_path(struct bgp_run *r, size_t at)
{
	const struct step *t = &r->b->steps[at];
	struct pair_sink sink = { { take_pair }, r, at };

	return path_run(r->x, t->path, slot_value(&t->s, r->row),
			slot_value(&t->o, r->row), &sink.base);
}

bool bgp_run_step(struct bgp_run *r, size_t at)
{
	switch (r->b->steps[at].access) {
	case ACCESS_HASH:
		return run_hash(r, at);
	case ACCESS_PATH:
		return run_path(r, at);
	default:
		return run_scan(r, at);
	}
}

static bool run_from(struct bgp_run *r, size_t at)
{
	if (at == r->b->n) {
		r->o->rows += r->x->times;
		r->x->row_number++;
		return r->next->push(r->next, r->row);
	}
	return r->b->steps[at].batch.size ? bgp_batch_add(r, at) : bgp_run_step(r, at);
}

bool bgp_run(struct exec *x, struct op *o, uint64_t *row, struct sink *next)
{
	struct bgp_run r = { x, o, o->bgp, row, next };

	if (!o->bgp->planned)
		bgp_plan(x, o->bgp);
	return bgp_batch_end(&r, run_from(&r, 0));
}

/* --- EXPLAIN --- */

static void explain_slot(struct exec *x, const struct slot *s, struct buf *to)
{
	if (s->is_var)
		buf_addf(to, "?" STR_FMT " ", STR_ARG(x->request->vars[s->var]));
	else {
		term_format(exec_term(x, s->id), to);
		buf_add_char(to, ' ');
	}
}

void bgp_explain(struct exec *x, const struct bgp *b, int depth, struct buf *to)
{
	static const char *const names[] = { "scan", "merge", "seek", "hash", "path" };

	for (size_t i = 0; i < b->n; i++) {
		const struct step *t = &b->steps[i];

		buf_addf(to, "%*s%-6s ", 2 * depth, "",
			 b->planned ? names[t->access] : "?");
		explain_slot(x, &t->s, to);
		if (t->path)
			buf_add(to, STR("(path) "));
		else
			explain_slot(x, &t->p, to);
		explain_slot(x, &t->o, to);
		if (b->planned && !t->path)
			buf_addf(to, " pattern %.0f", t->count);
		buf_addf(to, "  estimate %.0f  actual %llu  searches %llu  filters %zu\n",
			 t->estimate, (unsigned long long)t->rows,
			 (unsigned long long)t->searches, t->n_filters);
	}
}
