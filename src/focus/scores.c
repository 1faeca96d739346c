#include "focus/scores.h"

#include <string.h>

static const struct {
	struct str name, sentence;
} parts[PARTS] = {
	[PART_DOCUMENT] = { STR("document"), STR("terms in the page that links to it") },
	[PART_PARAGRAPH] = { STR("paragraph"), STR("terms in the paragraph around") },
	[PART_ANCHOR] = { STR("anchor"), STR("terms in the anchor text") },
	[PART_URL_WORDS] = { STR("url-words"), STR("terms in its URL") },
	[PART_URL_PATTERN] = { STR("url-pattern"), STR("--want-url and --avoid-url") },
	[PART_APPLICATION] = { STR("application"), STR("what its software shows there") },
	[PART_HOST] = { STR("host"), STR("relevant pages of its host so far") },
	[PART_IMPORTANCE] = { STR("importance"), STR("links that lead to it") },
	[PART_DEPTH] = { STR("depth"), STR("how near to a seed") },
	[PART_FRESHNESS] = { STR("freshness"), STR("how new the page that links is") },
	[PART_POSITION] = { STR("position"), STR("where on the page it stands") },
	[PART_OUTSIDE] = { STR("module"), STR("a module from outside") },
	[PART_PLAIN] = { STR("plain-url"), STR("no session, few parameters") },
};

struct focus_scores focus_scores_none(void)
{
	struct focus_scores s = { 0 };

	memset(s.value, (int)PART_NONE, sizeof(s.value));
	return s;
}

void focus_scores_set(struct focus_scores *s, enum focus_part part, float value)
{
	float v = value < 0.0f ? 0.0f : value > 1.0f ? 1.0f : value;

	s->value[part] = (uint8_t)(v * 254.0f + 0.5f);
}

void focus_scores_encode(const struct focus_scores *s, char *to)
{
	*to++ = (char)s->method;
	memcpy(to, s->value, PARTS);
	memcpy(to + PARTS, s->weight, PARTS);
	to += 2 * PARTS;
	*to++ = (char)s->bias;
	*to++ = (char)s->learnt;
	*to++ = (char)s->explore;
	for (unsigned i = 0; i < 4; i++)
		*to++ = (char)(s->arm >> 8 * i & 255);
	for (unsigned i = 0; i < 4; i++)
		*to++ = (char)(s->form >> 8 * i & 255);
}

enum status focus_scores_decode(struct str in, struct focus_scores *ret)
{
	struct focus_scores s = { 0 };
	const unsigned char *p = (const unsigned char *)in.p;

	if (in.n != SCORES_BYTES || p[0] >= METHODS)
		return ST_CORRUPT;
	s.method = *p++;
	memcpy(s.value, p, PARTS);
	memcpy(s.weight, p + PARTS, PARTS);
	p += 2 * PARTS;
	s.bias = (int8_t)*p++;
	s.learnt = *p++;
	s.explore = *p++;
	for (unsigned i = 0; i < 4; i++)
		s.arm |= (uint32_t)p[i] << 8 * i;
	for (unsigned i = 0; i < 4; i++)
		s.form |= (uint32_t)p[4 + i] << 8 * i;
	*ret = s;
	return ST_OK;
}

enum focus_part focus_part_find(struct str name)
{
	enum focus_part p = 0;

	while (p < PARTS && !str_eq(parts[p].name, name))
		p++;
	return p;
}

/* --- for people and programs --- */

static double weight_of(const struct focus_scores *s, enum focus_part p)
{
	return (double)s->weight[p] / (double)WEIGHT_STEPS;
}

static bool is_said(const struct focus_scores *s, enum focus_part p)
{
	return focus_scores_has(s, p);
}

static double sum_of_weights(const struct focus_scores *s)
{
	double sum = 0;

	for (enum focus_part p = 0; p < PARTS; p++)
		if (is_said(s, p))
			sum += weight_of(s, p);
	return sum;
}

/* Of the average: its share of it.  Of the learner: what it adds to the log-odds. */
static double contribution(const struct focus_scores *s, enum focus_part p, double sum)
{
	double product = weight_of(s, p) * (double)focus_scores_value(s, p);

	if (s->method == METHOD_LEARNT)
		return product;
	return sum > 0 ? product / sum : 0;
}

void focus_scores_format(const struct focus_scores *s, struct buf *to)
{
	double sum = sum_of_weights(s);

	for (enum focus_part p = 0; p < PARTS; p++)
		if (is_said(s, p))
			buf_addf(to,
				 "  " STR_FMT
				 "%*s %.2f  weight %5.2f  gives %6.3f  (" STR_FMT ")\n",
				 STR_ARG(parts[p].name), (int)(12 - parts[p].name.n), "",
				 (double)focus_scores_value(s, p), weight_of(s, p),
				 contribution(s, p, sum), STR_ARG(parts[p].sentence));
	if (s->method == METHOD_LEARNT)
		buf_addf(to,
			 "  learnt weights count %.0f %%; bias %.2f, exploration %.3f\n",
			 100.0 * s->learnt / 255.0,
			 (double)s->bias / (double)WEIGHT_STEPS, s->explore / 255.0);
}

void focus_scores_put(const struct focus_scores *s, struct json_out *o)
{
	double sum = sum_of_weights(s);

	json_open(o, '[');
	for (enum focus_part p = 0; p < PARTS; p++) {
		if (!is_said(s, p))
			continue;
		json_open(o, '{');
		json_put_str(o, "module", parts[p].name);
		json_put_double(o, "score", (double)focus_scores_value(s, p));
		json_put_double(o, "weight", weight_of(s, p));
		json_put_double(o, "contribution", contribution(s, p, sum));
		json_close(o, '}');
	}
	json_close(o, ']');
}
