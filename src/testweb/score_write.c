#include "base/json.h"
#include "testweb/score.h"

#define WASTES_SHOWN 24u

static double share(uint64_t part, uint64_t all)
{
	return all ? (double)part / (double)all : 0;
}

static void write_found(const struct score *s, struct buf *to)
{
	buf_addf(to, "pages that must be kept  %10llu\n",
		 (unsigned long long)s->must_keep);
	buf_addf(to, "  found                  %10llu  %6.2f %%\n",
		 (unsigned long long)s->found, 100 * share(s->found, s->must_keep));
	for (unsigned i = 0; i < LOSSES; i++)
		if (s->lost[i])
			buf_addf(to, "  lost: %-21s%6llu\n", loss_names[i],
				 (unsigned long long)s->lost[i]);
	for (unsigned i = 0; i < WAYS; i++)
		if (s->way_must_keep[i])
			buf_addf(to, "  only by %-15s%10llu of %llu\n", way_names[i],
				 (unsigned long long)s->way_found[i],
				 (unsigned long long)s->way_must_keep[i]);
	for (size_t i = 0; i < s->n_examples; i++)
		buf_addf(to, "    " STR_FMT " (%s)\n", STR_ARG(s->examples[i].page),
			 loss_names[s->examples[i].loss]);
}

static void write_requests(const struct score *s, struct buf *to)
{
	uint64_t wasted = s->requests - s->useful_requests - s->overhead_requests;

	buf_addf(to, "requests                 %10llu  %llu bytes\n",
		 (unsigned long long)s->requests, (unsigned long long)s->bytes);
	buf_addf(to, "  brought a new page     %10llu  %6.2f %%  %llu bytes\n",
		 (unsigned long long)s->useful_requests,
		 100 * share(s->useful_requests, s->requests),
		 (unsigned long long)s->useful_bytes);
	buf_addf(to, "  robots, sitemaps, feeds%10llu  %6.2f %%\n",
		 (unsigned long long)s->overhead_requests,
		 100 * share(s->overhead_requests, s->requests));
	buf_addf(to, "  wasted                 %10llu  %6.2f %%\n",
		 (unsigned long long)wasted, 100 * share(wasted, s->requests));
	for (size_t i = 0; i < MIN(s->n_wastes, WASTES_SHOWN); i++)
		buf_addf(to, "    %-30.*s %8llu\n", STR_ARG(s->wastes[i].name),
			 (unsigned long long)s->wastes[i].requests);
	if (s->n_wastes > WASTES_SHOWN)
		buf_addf(to, "    and %zu more kinds\n", s->n_wastes - WASTES_SHOWN);
}

static void write_curve(const struct score *s, struct buf *to)
{
	buf_add(to, STR("new pages by requests\n"));
	for (unsigned i = 0; i < CURVE_POINTS; i += i < 4 ? 1 : 4) {
		const struct curve_point *c = &s->curve[i];
		unsigned bar = (unsigned)(40 * share(c->pages, s->must_keep));

		if (c->requests)
			buf_addf(to, "  %10llu %10llu %.*s\n",
				 (unsigned long long)c->requests,
				 (unsigned long long)c->pages, (int)MIN(bar, 40u),
				 "########################################");
	}
}

static void write_politeness(const struct score *s, struct buf *to)
{
	const struct politeness *p = &s->politeness;
	uint64_t all = 0;

	if (!s->has_log)
		return buf_add(to,
			       STR("politeness: not judged without the server's log\n"));
	for (unsigned i = 0; i < VIOLATIONS; i++)
		all += p->count[i];
	buf_addf(to, "violations of politeness %10llu\n", (unsigned long long)all);
	for (unsigned i = 0; i < VIOLATIONS; i++)
		if (p->count[i])
			buf_addf(to, "  %-30s %8llu  on %llu hosts\n", violation_names[i],
				 (unsigned long long)p->count[i],
				 (unsigned long long)p->hosts[i]);
	buf_addf(to, "  most in flight: %llu per host, %llu per address\n",
		 (unsigned long long)p->most_per_host,
		 (unsigned long long)p->most_per_address);
}

void score_write_table(const struct score *s, struct buf *to)
{
	write_found(s, to);
	write_requests(s, to);
	write_curve(s, to);
	write_politeness(s, to);
}

static void add_wastes(const struct score *s, struct json_out *j)
{
	json_key(j, STR("wasted"));
	json_open(j, '[');
	for (size_t i = 0; i < s->n_wastes; i++) {
		json_open(j, '{');
		json_put_str(j, "class", s->wastes[i].name);
		json_put_uint(j, "requests", s->wastes[i].requests);
		json_put_uint(j, "bytes", s->wastes[i].bytes);
		json_close(j, '}');
	}
	json_close(j, ']');
}

static void add_ways(const struct score *s, struct json_out *j)
{
	json_key(j, STR("only_by"));
	json_open(j, '{');
	for (unsigned i = 0; i < WAYS; i++) {
		if (!s->way_must_keep[i])
			continue;
		json_key(j, str_from(way_names[i]));
		json_open(j, '[');
		json_add_uint(j, s->way_found[i]);
		json_add_uint(j, s->way_must_keep[i]);
		json_close(j, ']');
	}
	json_close(j, '}');
}

static void add_curve(const struct score *s, struct json_out *j)
{
	json_key(j, STR("curve"));
	json_open(j, '[');
	for (unsigned i = 0; i < CURVE_POINTS; i++) {
		json_open(j, '[');
		json_add_uint(j, s->curve[i].requests);
		json_add_uint(j, s->curve[i].pages);
		json_close(j, ']');
	}
	json_close(j, ']');
}

static void add_politeness(const struct score *s, struct json_out *j)
{
	json_key(j, STR("violations"));
	if (!s->has_log)
		return json_add_null(j);
	json_open(j, '{');
	for (unsigned i = 0; i < VIOLATIONS; i++)
		json_put_uint(j, violation_names[i], s->politeness.count[i]);
	json_put_uint(j, "most in flight per host", s->politeness.most_per_host);
	json_put_uint(j, "most in flight per address", s->politeness.most_per_address);
	json_close(j, '}');
}

void score_write_json(const struct score *s, struct buf *to)
{
	struct json_out j = { .to = to };

	json_open(&j, '{');
	json_put_uint(&j, "must_keep", s->must_keep);
	json_put_uint(&j, "found", s->found);
	json_key(&j, STR("lost"));
	json_open(&j, '{');
	for (unsigned i = 0; i < LOSSES; i++)
		json_put_uint(&j, loss_names[i], s->lost[i]);
	json_close(&j, '}');
	add_ways(s, &j);
	json_put_uint(&j, "requests", s->requests);
	json_put_uint(&j, "bytes", s->bytes);
	json_put_uint(&j, "useful_requests", s->useful_requests);
	json_put_uint(&j, "useful_bytes", s->useful_bytes);
	json_put_uint(&j, "overhead_requests", s->overhead_requests);
	json_put_double(&j, "pages_per_request", share(s->useful_requests, s->requests));
	json_put_uint(&j, "records", s->records);
	add_wastes(s, &j);
	add_curve(s, &j);
	add_politeness(s, &j);
	json_close(&j, '}');
	buf_add_char(to, '\n');
}
