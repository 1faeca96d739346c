#include "archive/sha1_pair.h"

#if defined(__x86_64__)
#include <cpuid.h>

/* __builtin_cpu_supports() of gcc 12 does not know the name. */
static bool ask_processor(void)
{
	unsigned a, b, c, d;

	return __get_cpuid_count(7, 0, &a, &b, &c, &d) && b & bit_SHA &&
	       __builtin_cpu_supports("sse4.1");
}

bool sha1_pair_has_ni(void)
{
	static int known; /* 1: no, 2: yes; whoever asks first finds the same */
	int answer = __atomic_load_n(&known, __ATOMIC_RELAXED);

	if (answer == 0) {
		answer = ask_processor() ? 2 : 1;
		__atomic_store_n(&known, answer, __ATOMIC_RELAXED);
	}
	return answer == 2;
}
#else
bool sha1_pair_has_ni(void)
{
	return false;
}
#endif

void sha1_pair_plain(struct digest *d, struct str head, struct str body,
		     uint8_t ret_block[SHA1_BYTES], uint8_t ret_payload[SHA1_BYTES])
{
	digest_of(d, body, ret_payload);
	digest_start(d);
	digest_add(d, head);
	digest_add(d, body);
	digest_end(d, ret_block);
}

void sha1_pair(struct digest *d, struct str head, struct str body,
	       uint8_t ret_block[SHA1_BYTES], uint8_t ret_payload[SHA1_BYTES])
{
	if (sha1_pair_has_ni())
		sha1_pair_ni(head, body, ret_block, ret_payload);
	else
		sha1_pair_plain(d, head, body, ret_block, ret_payload);
}
