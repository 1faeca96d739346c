#include "overview/layout.h"

#include <stdlib.h>

#include "base/alloc.h"

#define SWEEPS     8
#define LAYER_NONE UINT32_MAX

struct node {
	uint32_t layer;
	uint32_t nr;
	double centre; /* mean place of its neighbours in the layer before */
	double at;     /* place within its layer */
};

static void find_layers(struct node *v, size_t n, const struct transition *e, size_t m)
{
	uint32_t deepest = 0;

	for (size_t i = 0; i < n; i++)
		v[i] = (struct node){ .layer = LAYER_NONE, .nr = (uint32_t)i };
	v[0].layer = 0;
	for (uint32_t layer = 0;; layer++) {
		bool any = false;

		for (size_t i = 0; i < m; i++)
			if (v[e[i].from].layer == layer &&
			    v[e[i].to].layer == LAYER_NONE) {
				v[e[i].to].layer = deepest = layer + 1;
				any = true;
			}
		if (!any)
			break;
	}
	for (size_t i = 0; i < n; i++)
		if (v[i].layer == LAYER_NONE)
			v[i].layer = deepest + 1;
}

static int by_layer_and_centre(const void *a, const void *b)
{
	const struct node *x = *(const struct node *const *)a;
	const struct node *y = *(const struct node *const *)b;

	if (x->layer != y->layer)
		return x->layer < y->layer ? -1 : 1;
	if (x->centre != y->centre)
		return x->centre < y->centre ? -1 : 1;
	return x->nr < y->nr ? -1 : 1;
}

/* Give every node its place in its layer by the present order. */
static void settle(struct node **order, size_t n)
{
	for (size_t i = 0; i < n;) {
		size_t j = i;

		while (j < n && order[j]->layer == order[i]->layer)
			j++;
		for (size_t k = i; k < j; k++)
			order[k]->at = (double)(k - i) - (double)(j - i - 1) / 2;
		i = j;
	}
}

static void find_centres(struct node *v, size_t n, const struct transition *e, size_t m,
			 double *sum, double *count)
{
	for (size_t i = 0; i < n; i++)
		sum[i] = count[i] = 0;
	for (size_t i = 0; i < m; i++) {
		uint32_t a = e[i].from, b = e[i].to;

		if (v[a].layer == v[b].layer)
			continue;
		sum[a] += v[b].at;
		sum[b] += v[a].at;
		count[a]++;
		count[b]++;
	}
	for (size_t i = 0; i < n; i++)
		v[i].centre = count[i] > 0 ? sum[i] / count[i] : v[i].at;
}

void layout_graph(size_t n, const struct transition *edges, size_t edge_count,
		  struct place *ret)
{
	if (n == 0)
		return;
	struct node *v = xcalloc(n, sizeof(*v));
	struct node **order = xcalloc(n, sizeof(struct node *));
	double *sum = xcalloc(n, sizeof(*sum)), *count = xcalloc(n, sizeof(*count));

	find_layers(v, n, edges, edge_count);
	for (size_t i = 0; i < n; i++)
		order[i] = &v[i];
	for (int sweep = 0; sweep <= SWEEPS; sweep++) {
		qsort(order, n, sizeof(struct node *), by_layer_and_centre);
		settle(order, n);
		find_centres(v, n, edges, edge_count, sum, count);
	}
	for (size_t i = 0; i < n; i++)
		ret[i] = (struct place){ v[i].layer, v[i].at };
	free(v);
	free(order);
	free(sum);
	free(count);
}
