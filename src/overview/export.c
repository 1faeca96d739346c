#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "base/alloc.h"
#include "overview/overview.h"

/* "index" and "state7": the names that Crawljax's readers expect. */
void overview_add_name(struct buf *b, uint32_t nr)
{
	if (nr == 0)
		buf_add(b, STR("index"));
	else
		buf_addf(b, "state%u", nr);
}

static void put_name(struct json_out *o, const char *key, uint32_t nr)
{
	cleanup(buf_release) struct buf b = { 0 };

	overview_add_name(&b, nr);
	json_put_str(o, key, buf_str(&b));
}

static uint32_t nearest_kept(const struct model *m, uint32_t nr, double *ret)
{
	uint32_t best = STATE_UNSEEN;

	for (size_t i = 0; i < m->simulation.kept_count; i++) {
		uint32_t other = m->simulation.kept[i];
		double d = other == nr ? 2 : model_distance(m, other, nr).of_template;

		if (other != nr && (best == STATE_UNSEEN || d < *ret)) {
			best = other;
			*ret = d;
		}
	}
	return best;
}

#define NEAR_TEMPLATE 0.2 /* of two states that are of one cluster */
#define PAIRS_MAX     300 /* states; beyond, the distances of all pairs are left out */

/* Was any other observation merged into it? */
static bool has_merged(const struct model *m, uint32_t nr)
{
	const struct simulation *s = &m->simulation;

	for (uint32_t i = 0; i < s->raw_count; i++)
		if (i != nr && s->absorbed_by[i] == nr)
			return true;
	return false;
}

/* States near each other, over whatever others: numbered by the first of them. */
static uint32_t *find_clusters(const struct model *m)
{
	const struct simulation *s = &m->simulation;
	uint32_t *cluster = xcalloc(m->state_count + 1, sizeof(*cluster));

	for (uint32_t i = 0; i < m->state_count; i++)
		cluster[i] = i;
	for (size_t i = 0; i < s->kept_count; i++)
		for (size_t k = 0; k < i; k++) {
			uint32_t a = cluster[s->kept[k]], b = cluster[s->kept[i]];

			if (a == b ||
			    model_distance(m, s->kept[k], s->kept[i]).of_template >
				    NEAR_TEMPLATE)
				continue;
			for (uint32_t j = 0; j < m->state_count; j++)
				if (cluster[j] == MAX(a, b))
					cluster[j] = MIN(a, b);
		}
	return cluster;
}

/* When the file of a state was written, in ms since that of the first. */
static int64_t ms_since_start(const struct model *m, uint32_t nr)
{
	struct stat first, own;
	char path[4096];

	snprintf(path, sizeof(path), "%s/states/0.json", m->dir);
	if (stat(path, &first) != 0)
		return 0;
	snprintf(path, sizeof(path), "%s/states/%u.json", m->dir, nr);
	if (stat(path, &own) != 0)
		return 0;
	return (own.st_mtim.tv_sec - first.st_mtim.tv_sec) * 1000 +
	       (own.st_mtim.tv_nsec - first.st_mtim.tv_nsec) / 1000000;
}

static void add_pair_distances(const struct model *m, uint32_t nr, struct json_out *o)
{
	const struct simulation *s = &m->simulation;

	json_key(o, STR("duplicateDistance"));
	json_open(o, '{');
	for (size_t i = 0; i < s->kept_count && s->kept_count <= PAIRS_MAX; i++) {
		cleanup(buf_release) struct buf name = { 0 };

		if (s->kept[i] == nr)
			continue;
		overview_add_name(&name, s->kept[i]);
		json_key(o, buf_str(&name));
		json_add_double(o, model_distance(m, s->kept[i], nr).of_template);
	}
	json_close(o, '}');
}

static void add_candidates(const struct raw_state *s, struct json_out *o)
{
	json_key(o, STR("candidateElements"));
	json_open(o, '[');
	for (size_t i = 0; i < s->seen.candidate_count; i++) {
		const struct candidate *c = &s->seen.candidates[i];

		json_open(o, '{');
		json_put_int(o, "left", c->box[0]);
		json_put_int(o, "top", c->box[1]);
		json_put_int(o, "width", c->box[2]);
		json_put_int(o, "height", c->box[3]);
		json_put_str(o, "xpath", c->xpath);
		json_close(o, '}');
	}
	json_close(o, ']');
}

static void add_state(const struct model *m, uint32_t nr, uint32_t cluster,
		      struct json_out *o)
{
	const struct raw_state *s = m->states[nr];
	cleanup(buf_release) struct buf name = { 0 };
	uint64_t in = 0, out = 0;
	double distance = 0;
	uint32_t near = nearest_kept(m, nr, &distance);

	for (size_t i = 0; i < m->simulation.edge_count; i++) {
		out += m->simulation.edges[i].from == nr;
		in += m->simulation.edges[i].to == nr;
	}
	overview_add_name(&name, nr);
	json_key(o, buf_str(&name));
	json_open(o, '{');
	json_put_str(o, "name", buf_str(&name));
	json_put_str(o, "url", s->seen.url);
	add_candidates(s, o);
	json_put_uint(o, "fanIn", in);
	json_put_uint(o, "fanOut", out);
	json_put_uint(o, "id", nr);
	json_key(o, STR("failedEvents"));
	json_open(o, '[');
	for (size_t i = 0; i < m->deed_count; i++)
		if (m->deeds[i].state == nr && m->deeds[i].outcome == DEED_FAILED)
			json_add_str(o, s->seen.candidates[m->deeds[i].candidate].xpath);
	json_close(o, ']');
	json_put_bool(o, "hasNearDuplicate", has_merged(m, nr));
	if (near != STATE_UNSEEN) {
		json_put_double(o, "distToNearestState", distance);
		put_name(o, "nearestState", near);
	}
	json_put_uint(o, "cluster", cluster);
	add_pair_distances(m, nr, o);
	json_put_int(o, "timeAdded", ms_since_start(m, nr));
	json_close(o, '}');
}

static void add_edge(const struct model *m, const struct transition *t,
		     struct json_out *o)
{
	const struct deed *d = &m->deeds[t->action];
	const struct candidate *c = &m->states[d->state]->seen.candidates[d->candidate];
	cleanup(buf_release) struct buf id = { 0 };

	buf_add(&id, STR("xpath "));
	buf_add(&id, c->xpath);
	json_open(o, '{');
	put_name(o, "from", t->from);
	put_name(o, "to", t->to);
	json_put_str(o, "text", c->text);
	json_put_str(o, "id", buf_str(&id));
	json_put_str(o, "element", c->tag);
	json_put_str(o, "eventType", event_name((enum event_kind)d->event));
	json_close(o, '}');
}

enum status overview_save(const struct model *m, const char *name, const struct buf *b,
			  struct diag *why)
{
	char path[4096];

	TRY(buf_status(b));
	snprintf(path, sizeof(path), "%s/overview/%s", m->dir, name);
	return file_save(path, buf_str(b), why);
}

static uint64_t count_paths(const struct model *m)
{
	uint64_t n = 0;

	for (size_t i = 0; i < m->deed_count; i++)
		n += m->deeds[i].outcome == DEED_DONE;
	return n;
}

static void add_statistics(const struct model *m, const struct overview_facts *f,
			   struct json_out *o)
{
	uint64_t bytes = 0;

	for (size_t i = 0; i < m->simulation.kept_count; i++)
		bytes += m->states[m->simulation.kept[i]]->seen.html.n;
	json_key(o, STR("statistics"));
	json_open(o, '{');
	json_put_uint(o, "duration", f->duration_ms);
	json_put_uint(o, "crawlPaths", count_paths(m));
	json_put_uint(o, "edges", m->simulation.edge_count);
	json_put_uint(o, "averageDomSize", bytes / m->simulation.kept_count);
	json_key(o, STR("stateStats"));
	json_open(o, '{');
	json_put_uint(o, "totalNumberOfStates", m->simulation.kept_count);
	json_close(o, '}');
	json_close(o, '}');
}

static enum status write_result(const struct model *m, const struct overview_facts *f,
				struct diag *why)
{
	cleanup(buf_release) struct buf b = { 0 };
	struct json_out o = { .to = &b };

	json_open(&o, '{');
	json_key(&o, STR("states"));
	json_open(&o, '{');
	uint32_t *clusters = find_clusters(m);
	for (size_t i = 0; i < m->simulation.kept_count; i++)
		add_state(m, m->simulation.kept[i], clusters[m->simulation.kept[i]], &o);
	free(clusters);
	json_close(&o, '}');
	json_key(&o, STR("edges"));
	json_open(&o, '[');
	for (size_t i = 0; i < m->simulation.edge_count; i++)
		add_edge(m, &m->simulation.edges[i], &o);
	json_close(&o, ']');
	add_statistics(m, f, &o);
	json_put_str(&o, "exitStatus", str_from(explore_end_name(f->end)));
	json_close(&o, '}');
	buf_add_char(&b, '\n');
	return overview_save(m, "result.json", &b, why);
}

static void add_dot_label(struct buf *b, struct str s)
{
	for (size_t i = 0; i < s.n && i < 60; i++) {
		if (s.p[i] == '"' || s.p[i] == '\\')
			buf_add_char(b, '\\');
		buf_add_char(b, s.p[i] == '\n' ? ' ' : s.p[i]);
	}
}

static enum status write_dot(const struct model *m, struct diag *why)
{
	cleanup(buf_release) struct buf b = { 0 };

	buf_add(&b, STR("digraph states {\n\trankdir=LR;\n\tnode [shape=box];\n"));
	for (size_t i = 0; i < m->simulation.kept_count; i++) {
		uint32_t nr = m->simulation.kept[i];

		buf_addf(&b, "\ts%u [label=\"", nr);
		overview_add_name(&b, nr);
		buf_add(&b, STR("\\n"));
		add_dot_label(&b, m->states[nr]->seen.title);
		buf_add(&b, STR("\"];\n"));
	}
	for (size_t i = 0; i < m->simulation.edge_count; i++) {
		const struct transition *t = &m->simulation.edges[i];
		const struct deed *d = &m->deeds[t->action];

		buf_addf(&b, "\ts%u -> s%u [label=\"", t->from, t->to);
		buf_add(&b, event_name((enum event_kind)d->event));
		buf_add_char(&b, ' ');
		add_dot_label(&b,
			      m->states[d->state]->seen.candidates[d->candidate].text);
		buf_add(&b, STR("\"];\n"));
	}
	buf_add(&b, STR("}\n"));
	return overview_save(m, "graph.dot", &b, why);
}

enum status overview_export(const struct model *m, const struct overview_facts *f,
			    struct diag *why)
{
	TRY(write_result(m, f, why));
	TRY(write_dot(m, why));
	return overview_write_paths(m, f, why);
}
