/* replay.c - run a fuzz target over a folder of saved inputs, in every ordinary test run.
 */
#include <dirent.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define INPUT_MAX ((size_t)1 << 22)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int replay(const char *path)
{
	FILE *f = fopen(path, "rbe");
	uint8_t *all = malloc(INPUT_MAX);

	if (!f || !all)
		return perror(path), 1;
	size_t n = fread(all, 1, INPUT_MAX, f);
	fclose(f);
	/* A copy of the exact size, so that a read past the end is seen. */
	uint8_t *exact = malloc(n ? n : 1);
	for (size_t i = 0; exact && i < n; i++)
		exact[i] = all[i];
	free(all);
	LLVMFuzzerTestOneInput(exact, n);
	free(exact);
	return 0;
}

int main(int argc, char **argv)
{
	struct dirent **names;
	int failed = 0, n = argc == 2 ? scandir(argv[1], &names, NULL, alphasort) : -1;

	if (n < 0)
		return fprintf(stderr, "usage: replay FOLDER\n"), 2;
	for (int i = 0; i < n; i++) {
		char path[PATH_MAX];

		snprintf(path, sizeof(path), "%s/%s", argv[1], names[i]->d_name);
		if (names[i]->d_name[0] != '.')
			failed |= replay(path);
		free(names[i]);
	}
	free(names);
	if (n <= 2) {
		fprintf(stderr, "%s: an empty corpus tests nothing\n", argv[1]);
		return 1;
	}
	return failed;
}
