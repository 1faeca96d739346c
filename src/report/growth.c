#include "report/growth.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/json.h"
#include "report/form.h"

#define TRAP_PAGES   40
#define TRAP_LINKS   0.5 /* new URLs per page, at least */
#define TRAP_NOVEL   0.1 /* of its pages, at most */
#define TRAPS_SHOWN  12
#define SAMPLE_BYTES 512

static char *copy_of(struct str s)
{
	return strndup(s.p, MIN(s.n, (size_t)SAMPLE_BYTES));
}

static void forget(struct growth_form *f)
{
	free(f->form);
	for (size_t i = 0; i < GROWTH_SAMPLES; i++)
		free(f->samples[i]);
	*f = (struct growth_form){ 0 };
}

/* Its place, or that of the rarest. */
static struct growth_form *place_of(struct growth *g, uint64_t hash)
{
	struct growth_form *least = &g->v[0];

	for (size_t i = 0; i < GROWTH_FORMS; i++) {
		if (g->v[i].hash == hash)
			return &g->v[i];
		if (g->v[i].fetched < least->fetched)
			least = &g->v[i];
	}
	return least;
}

void growth_note(struct growth *g, struct str url, bool is_novel, uint64_t new_links)
{
	buf_reset(&g->scratch);
	buf_add_url_form(&g->scratch, url);
	uint64_t hash = hash64(buf_str(&g->scratch)) | 1;
	struct growth_form *f = place_of(g, hash);

	if (f->hash != hash) {
		forget(f);
		f->hash = hash;
		f->form = copy_of(buf_str(&g->scratch));
	}
	if (f->fetched < GROWTH_SAMPLES)
		f->samples[f->fetched] = copy_of(url);
	f->fetched++;
	f->novel += is_novel;
	f->links += new_links;
}

bool growth_is_trap(const struct growth_form *f)
{
	return f->fetched >= TRAP_PAGES &&
	       (double)f->novel <= TRAP_NOVEL * (double)f->fetched &&
	       (double)f->links >= TRAP_LINKS * (double)f->fetched;
}

/* "a.org/cal/#?day" as a regular expression for whole URLs. */
static void add_pattern(struct buf *to, const char *form)
{
	buf_add(to, STR("^https?://"));
	for (; *form; form++) {
		if (*form == '#')
			buf_add(to, STR("[^/?]*"));
		else if (*form == '?') {
			buf_add(to, STR("\\?"));
			return;
		} else if (strchr(".+*()[]{}^$|\\", *form))
			buf_addf(to, "\\%c", *form);
		else
			buf_add_char(to, *form);
	}
	buf_add(to, STR("(\\?|$)"));
}

static void format_one(const struct growth_form *f, struct json_out *o)
{
	cleanup(buf_release) struct buf pattern = { 0 };

	add_pattern(&pattern, f->form);
	json_open(o, '{');
	json_put_str(o, "form", str_from(f->form));
	json_put_str(o, "match", buf_str(&pattern));
	json_put_uint(o, "fetched", f->fetched);
	json_put_uint(o, "novel", f->novel);
	json_put_double(o, "new_urls_per_fetch", (double)f->links / (double)f->fetched);
	json_key(o, STR("samples"));
	json_open(o, '[');
	for (size_t i = 0; i < GROWTH_SAMPLES && f->samples[i]; i++)
		json_add_str(o, str_from(f->samples[i]));
	json_close(o, ']');
	json_close(o, '}');
}

void growth_format(const struct growth *g, struct buf *to)
{
	struct json_out o = { .to = to };
	uint64_t below = UINT64_MAX;
	size_t shown = 0;

	json_open(&o, '[');
	while (shown < TRAPS_SHOWN) {
		const struct growth_form *best = NULL;

		for (size_t i = 0; i < GROWTH_FORMS; i++)
			if (growth_is_trap(&g->v[i]) && g->v[i].fetched < below &&
			    (!best || g->v[i].fetched > best->fetched))
				best = &g->v[i];
		if (!best)
			break;
		/* Of several as large one is shown: it is a sample anyway. */
		below = best->fetched;
		format_one(best, &o);
		shown++;
	}
	json_close(&o, ']');
}

void growth_release(struct growth *g)
{
	for (size_t i = 0; i < GROWTH_FORMS; i++)
		forget(&g->v[i]);
	buf_release(&g->scratch);
}
