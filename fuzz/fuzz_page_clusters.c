/* Lines of CDXJ and JSON to clusters of pages. */
#include <stdlib.h>

#include "corpus/page_clusters.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	cleanup(page_clusters_release) struct page_clusters c = { .digest = true };

	page_clusters_add_lines(&c, (struct str){ (const char *)data, n });
	struct clustered_url *v = page_clusters_list(&c);
	for (size_t i = 0; i < c.urls.n; i++)
		if (v[i].cluster == 0 || v[i].cluster > c.urls.n)
			abort();
	free(v);
	return 0;
}
