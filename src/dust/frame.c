/* frame.c - what can be known of a rule before it meets a URL, so that matching is short.
 */
#include "dust/pattern.h"

static bool is_mark(const struct item *item)
{
	return item->single && item->atom.kind == ATOM_TOKEN && item->atom.token.delim;
}

static bool is_run(const struct item *item)
{
	return item->single && item->atom.kind == ATOM_STAR;
}

/* Runs and delimiters in turn, up to the last delimiter before anything else. */
static void frame_head(const struct url_pattern *p, struct frame *f)
{
	for (uint32_t i = 0; i < p->n && f->n_marks < FRAME_MARKS_MAX; i++) {
		bool run = is_run(&p->items[i]), kept = p->items[i].capture;

		i += run;
		if (i == p->n || !is_mark(&p->items[i]))
			return;
		f->filled |= (uint32_t)run << f->n_marks;
		f->captured |= (uint32_t)(run && kept) << f->n_marks;
		f->marks[f->n_marks++] = p->items[i].atom.token.p[0];
		f->n_items = i + 1;
	}
}

/* The same from the end, down to item `from`. */
static void frame_tail(const struct url_pattern *p, uint32_t from, struct frame *f)
{
	char reversed[FRAME_MARKS_MAX];

	for (uint32_t i = p->n; i > from && f->n_marks < FRAME_MARKS_MAX; i--) {
		bool run = is_run(&p->items[i - 1]), kept = p->items[i - 1].capture;

		i -= run;
		if (i == from || !is_mark(&p->items[i - 1]))
			break;
		f->filled = f->filled << 1 | run;
		f->captured = f->captured << 1 | (run && kept);
		reversed[f->n_marks++] = p->items[i - 1].atom.token.p[0];
		f->n_items = p->n - i + 1;
	}
	for (unsigned i = 0; i < f->n_marks; i++)
		f->marks[i] = reversed[f->n_marks - 1 - i];
}

void pattern_frame(struct url_pattern *p)
{
	p->head = p->tail = (struct frame){ 0 };
	frame_head(p, &p->head);
	frame_tail(p, p->head.n_items, &p->tail);
}

/* Whether the context has `text` between captures nr and nr + 1, and nothing else. */
static bool stands_between(const struct url_pattern *p, uint16_t nr, struct str text)
{
	uint32_t i = 0;

	while (i < p->n && p->items[i].capture != nr)
		i++;
	for (i++; i < p->n && p->items[i].capture == 0; i++) {
		const struct item *item = &p->items[i];

		if (!item->single || !str_take_prefix(&text, token_str(item->atom.token)))
			return false;
	}
	return text.n == 0;
}

void transformation_join(struct transformation *t, const struct url_pattern *p)
{
	uint16_t n = 0;

	for (uint16_t i = 0; i < t->n; i++) {
		const struct piece next = t->pieces[i];
		struct piece *before = n > 0 ? &t->pieces[n - 1] : NULL;

		if (before && before->last > 0 && next.capture == before->last + 1 &&
		    stands_between(p, before->last, next.text))
			before->last = next.last;
		else
			t->pieces[n++] = next;
	}
	t->n = n;
}
