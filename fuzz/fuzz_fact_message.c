/* Messages on their way to the knowledge base, and the JSON-LD that objects come from. */
#include "page/json_ld.h"
#include "pipeline/fact_message.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct str in = { (const char *)data, size };
	struct ld_object v[LD_OBJECTS_MAX];
	struct fact_message m;
	struct arena a = { 0 };

	(void)!fact_message_decode(in, &a, &m);
	(void)json_ld_read(in, &a, v, 0);
	(void)iri_of_url(in, &a);
	arena_release(&a);
	return 0;
}
