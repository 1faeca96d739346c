#include "states/identity.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A page may make the script say anything. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct content by_simhash = content_of_method(method_find(STR("simhash64")));
	cleanup(arena_release) struct arena a = { 0 };
	struct observation o;
	struct identity id;

	if (observation_parse((struct str){ (const char *)data, size }, &a, &o, NULL) ==
	    ST_OK)
		identity_make(&o, &by_simhash, &a, &id);
	return 0;
}
