#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "corpus/corpus.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The bytes as a file of whatever kind they look like; read to the end. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static char path[64];
	struct corpus c = { 0 };
	struct corpus_doc doc;
	struct diag why;
	enum status st;

	if (!path[0])
		snprintf(path, sizeof(path), "/tmp/fuzz_corpus.%d", (int)getpid());
	if (file_save(path, (struct str){ (const char *)data, size }, &why) != ST_OK)
		abort();
	struct str word = str_from(path);
	struct corpus_options how = { .tag_paths = true };
	if (corpus_open(&c, &word, 1, &how, &why) == ST_OK)
		for (size_t n = 0; n < 100000; n++) {
			st = corpus_next(&c, &doc, &why);
			if (st == ST_AGAIN)
				break;
			if (n == 99999)
				__builtin_trap(); /* it must come to an end */
		}
	corpus_release(&c);
	unlink(path);
	return 0;
}
