#include <stdio.h>

#include "overview/overview.h"

/* One line a thing that was seen and not explored, with the reason. */
struct report {
	const struct model *m;
	struct buf text;
};

static struct json_out open_line(struct report *r, const char *kind, uint32_t state)
{
	struct json_out o = { .to = &r->text };

	json_open(&o, '{');
	json_put_str(&o, "kind", str_from(kind));
	json_put_uint(&o, "state", state);
	return o;
}

static void close_line(struct report *r, struct json_out *o, struct str reason)
{
	json_put_str(o, "reason", reason);
	json_close(o, '}');
	buf_add_char(&r->text, '\n');
}

static void report_event(struct report *r, const struct deed *d, struct str reason)
{
	const struct candidate *c =
		&r->m->states[d->state]->seen.candidates[d->candidate];
	struct json_out o = open_line(r, "candidate", d->state);

	json_put_str(&o, "event", event_name((enum event_kind)d->event));
	json_put_str(&o, "element", c->css);
	json_put_str(&o, "text", c->text);
	json_put_str(&o, "outcome", str_from(deed_outcome_name(d->outcome)));
	close_line(r, &o, reason);
}

static void report_untried(struct report *r, uint32_t nr)
{
	const struct observation *seen = &r->m->states[nr]->seen;

	for (uint32_t c = 0; c < seen->candidate_count; c++)
		for (uint8_t e = 0; e < EVENT_KINDS; e++) {
			struct deed d = { .state = nr, .candidate = c, .event = e };

			if (seen->candidates[c].events & 1u << e &&
			    !model_deed(r->m, nr, c, (enum event_kind)e))
				report_event(r, &d, STR("the crawl ended before it"));
		}
}

static void report_merged(struct report *r, uint32_t nr, uint32_t by)
{
	struct json_out o = open_line(r, "state", nr);

	json_put_uint(&o, "into", by);
	json_put_double(&o, "distance", model_distance(r->m, by, nr).of_template);
	close_line(r, &o, STR("it counts as another state"));
}

static void report_unseen_parts(struct report *r, uint32_t nr)
{
	const struct observation *seen = &r->m->states[nr]->seen;

	if (seen->opaque) {
		struct json_out o = open_line(r, "frame", nr);

		json_put_uint(&o, "count", seen->opaque);
		close_line(r, &o, STR("it belongs to another origin"));
	}
	if (seen->cut) {
		struct json_out o = open_line(r, "candidate", nr);

		json_put_uint(&o, "count", seen->cut);
		close_line(r, &o, STR("there are too many on the page"));
	}
}

static void report_state(struct report *r, uint32_t nr)
{
	const struct simulation *s = &r->m->simulation;
	uint32_t by = nr < s->raw_count ? s->absorbed_by[nr] : STATE_UNSEEN;

	if (by == STATE_UNSEEN) {
		struct json_out o = open_line(r, "state", nr);

		close_line(r, &o, STR("it was seen only on the way"));
	} else if (by != nr) {
		report_merged(r, nr, by);
	} else {
		report_untried(r, nr);
		report_unseen_parts(r, nr);
	}
	if (r->m->states[nr]->unreachable) {
		struct json_out o = open_line(r, "state", nr);

		close_line(r, &o, STR("no way leads back to it"));
	}
}

enum status overview_write_skipped(const struct model *m, struct diag *why)
{
	struct report r = { .m = m };
	char path[4096];

	for (size_t i = 0; i < m->deed_count; i++)
		if (m->deeds[i].outcome != DEED_DONE)
			report_event(&r, &m->deeds[i], m->deeds[i].why);
	for (uint32_t i = 0; i < m->state_count; i++)
		report_state(&r, i);
	snprintf(path, sizeof(path), "%s/overview/skipped.jsonl", m->dir);
	enum status st = buf_status(&r.text);
	if (st == ST_OK)
		st = file_save(path, buf_str(&r.text), why);
	buf_release(&r.text);
	return st;
}
