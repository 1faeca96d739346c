#include "html/anchor_windows.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "html/entity.h"
#include "html/html_token.h"
#include "html/html_traits.h"

struct span {
	size_t from, to;
};

struct windows {
	struct arena *arena;
	struct buf paragraph;
	struct span *spans; /* links of the paragraph */
	size_t n_spans, spans_cap;
	bool in_link;
	struct str *v;
	size_t n, cap, max;
};

static void end_link(struct windows *w)
{
	if (!w->in_link)
		return;
	w->in_link = false;
	w->spans[w->n_spans - 1].to = w->paragraph.n;
}

/* A word that the cut goes through is left out, whole characters with it. */
static struct str window(struct str text, size_t from, size_t to, bool cut_first)
{
	struct str s = str_slice(text, from, to);

	if (s.n > ANCHOR_WINDOW_BYTES) {
		s = cut_first ? str_skip(s, s.n - ANCHOR_WINDOW_BYTES)
			      : str_slice(s, 0, ANCHOR_WINDOW_BYTES);
		while (s.n && !ascii_is_space(cut_first ? s.p[0] : s.p[s.n - 1]))
			s = cut_first ? str_skip(s, 1) : str_slice(s, 0, s.n - 1);
	}
	return str_trim(s);
}

static void add(struct windows *w, struct str s)
{
	VEC_ADD(w->v, w->n, w->cap, s);
}

static void end_paragraph(struct windows *w)
{
	bool open = w->in_link;

	end_link(w);
	struct str text = w->n_spans ? arena_copy(w->arena, buf_str(&w->paragraph))
				     : (struct str){ 0 };
	for (size_t i = 0; i < w->n_spans; i++) {
		struct span s = w->spans[i];
		struct str anchor = str_trim(str_slice(text, s.from, s.to));

		if (anchor.n == 0 || w->n / 3 == w->max)
			continue;
		add(w, window(text, 0, s.from, true));
		add(w, anchor);
		add(w, window(text, s.to, text.n, false));
	}
	w->n_spans = 0;
	buf_reset(&w->paragraph);
	if (open) { /* a link around blocks goes on in the next */
		VEC_ADD(w->spans, w->n_spans, w->spans_cap, (struct span){ 0 });
		w->in_link = true;
	}
}

static void tag(struct windows *w, const struct html_token *k)
{
	if (html_traits[k->tag].is & IS_BLOCK)
		end_paragraph(w);
	if (k->tag != TAG_A)
		return;
	end_link(w);
	if (k->kind == HTML_START_TAG && k->attr_set & HTML_ATTR(ATTR_HREF)) {
		VEC_ADD(w->spans, w->n_spans, w->spans_cap,
			(struct span){ .from = w->paragraph.n });
		w->in_link = true;
	}
}

void anchor_windows(struct str html, size_t max, struct arena *a, struct str **ret,
		    size_t *ret_n)
{
	struct html_tokenizer *z = arena_alloc(a, sizeof(*z));
	struct windows w = { .arena = a, .max = max };
	struct html_token k;

	html_start(z, html);
	while (html_next(z, &k)) {
		if (k.kind == HTML_START_TAG || k.kind == HTML_END_TAG)
			tag(&w, &k);
		else if (k.kind == HTML_TEXT && k.mode == HTML_DATA && !k.in_foreign)
			buf_add(&w.paragraph,
				entity_decode_all(k.text, ENTITY_IN_TEXT, a));
	}
	end_paragraph(&w);
	*ret = arena_alloc(a, (w.n + 1) * sizeof(**ret));
	if (w.n)
		memcpy(*ret, w.v, w.n * sizeof(**ret));
	*ret_n = w.n;
	free(w.v);
	free(w.spans);
	buf_release(&w.paragraph);
}
