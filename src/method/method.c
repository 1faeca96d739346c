#include "method/method.h"

#include <math.h>

#include "method/ssm.h"

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__,
	       "payload_u64() reads little-endian numbers in place");

const struct method *method_find(struct str name)
{
	for (const struct method *m = methods; m->name; m++)
		if (str_eq(name, str_from(m->name)))
			return m;
	return NULL;
}

void method_fingerprint(const struct method *m, const struct document *doc,
			const struct feature_options *how, struct buf *ret)
{
	cleanup(buf_release) struct buf payload = { 0 };
	size_t n = m->make(doc, how ? how : &m->features, &payload);

	buf_add_u8(ret, FINGERPRINT_VERSION);
	buf_add_u8(ret, m->id);
	buf_add_varint(ret, n);
	buf_add(ret, buf_str(&payload));
}

static bool open_fingerprint(const struct method *m, struct str *in, uint64_t *ret_n)
{
	uint8_t version, id;

	return str_take_u8(in, &version) && version == FINGERPRINT_VERSION &&
	       str_take_u8(in, &id) && id == m->id && str_take_varint(in, ret_n) &&
	       m->valid(*in);
}

double method_farthest(const struct method *m)
{
	return m->smaller_is_nearer ? INFINITY : -INFINITY;
}

enum status method_measure(const struct method *m, struct str a, struct str b,
			   double *ret)
{
	uint64_t n_a, n_b;

	if (!open_fingerprint(m, &a, &n_a) || !open_fingerprint(m, &b, &n_b))
		return ST_CORRUPT;
	if (n_a < m->min_features || n_b < m->min_features)
		*ret = method_farthest(m);
	else
		*ret = m->measure(a, b);
	return ST_OK;
}

bool method_is_near(const struct method *m, double measure, double threshold)
{
	return m->smaller_is_nearer ? measure <= threshold : measure >= threshold;
}

bool method_is_costly(const struct method *m)
{
	return m->make == ssm_make;
}

void payload_add_hashes(struct buf *to, const struct features *f)
{
	for (size_t i = 0; i < f->n; i++)
		buf_add_u64(to, f->v[i].hash);
}

bool payload_is_u64s(struct str payload)
{
	return payload.n % 8 == 0;
}
