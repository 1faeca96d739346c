#include "cmd/dedup_show.h"

#include <inttypes.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#include "cmd/command.h"
#include "os/log.h"

#define BROKEN_TOLD 20

int dedup_fail(const char *text)
{
	fprintf(stderr, "thresh dedup: %s\n", text);
	return EXIT_FAILED;
}

static int fail_method(struct str name)
{
	fprintf(stderr, "thresh dedup: there is no method '" STR_FMT "'; there are:",
		STR_ARG(name));
	for (const struct method *m = methods; m->name; m++)
		fprintf(stderr, " %s", m->name);
	fprintf(stderr, "\n");
	return EXIT_USAGE;
}

static int fail_features(const char *name)
{
	fprintf(stderr,
		"thresh dedup: the method %s has its own features; --features and "
		"--weight go with:",
		name);
	for (const struct method *m = methods; m->name; m++)
		if (m->any_features)
			fprintf(stderr, " %s", m->name);
	fprintf(stderr, "\n");
	return EXIT_USAGE;
}

static int fail_threshold(const struct method *m, double threshold)
{
	fprintf(stderr,
		"thresh dedup: --threshold %g: the method %s measures from 0 to 1, near "
		"is %g and more\n",
		threshold, m->name, m->threshold);
	return EXIT_USAGE;
}

int print_fault(const struct dedup *d, enum dedup_fault fault, const struct diag *why)
{
	switch (fault) {
	case DEDUP_NO_METHOD:
		return fail_method(buf_str(&d->asked.method));
	case DEDUP_OWN_FEATURES:
		return fail_features(d->method.name);
	case DEDUP_NO_PICTURES:
		return dedup_fail("pictures are of states: thresh compare and thresh "
				  "calibrate read recordings and PNG files");
	case DEDUP_OUT_OF_REACH:
		return fail_threshold(&d->method, d->asked.threshold);
	default:
		return dedup_fail(why->text);
	}
}

static void print_candidates(const struct batch_options *o)
{
	enum blocking how = method_blocking(o->method);

	if (how == BLOCK_BANDS || how == BLOCK_SLOTS) {
		fprintf(stderr,
			"; candidates share one of %u bands of %u slots\nS-curve   ",
			o->bands.bands, o->bands.rows);
		for (double j = 0.1; j < 0.95; j += 0.1)
			fprintf(stderr, " %.1f:%.1f%%", j,
				100 * bands_recall(o->bands, j));
		fprintf(stderr, "\n");
	} else if (method_bits(o->method) == 64) {
		fprintf(stderr, "; finds all pairs, by a Hamming index\n");
	} else {
		double at = method_keys_recall(o->method, o->threshold, o->bands,
					       o->threshold);

		fprintf(stderr,
			isnan(at) ? "; recall depends on the text\n"
				  : "; finds %.1f %% of the pairs there\n",
			100 * at);
	}
}

/* Measured: fingerprints take 0.7 of plain lines, 0.5 of a WARC.gz and 1.7 of lines
 * .gz; the lines of kept documents, where they are made, 0.8 and 2.4. */
static double disk_bytes(const struct corpus *c)
{
	return 0.8 * (double)(c->total_bytes - c->packed_bytes) +
	       4.0 * (double)c->packed_bytes;
}

static void print_plan(const struct dedup *d)
{
	const struct batch_options *o = &d->batch.options;
	const struct corpus *c = &d->input;

	fprintf(stderr, "method     %s: %s\n", o->method->name, o->method->about);
	fprintf(stderr, "near       %s %g",
		o->method->smaller_is_nearer ? "up to" : "from", o->threshold);
	print_candidates(o);
	if (o->verify)
		fprintf(stderr, "verified   near pairs by the shingles of their texts\n");
	fprintf(stderr,
		"input      %zu %s, %.1f MB\nmemory     %.0f MB for sorting, about "
		"120 bytes a document besides\ndisk       up to about %.1f MB in %s\n",
		c->files.n, c->files.n == 1 ? "file" : "files",
		(double)c->total_bytes / 1e6, (double)o->memory_bytes / 1e6,
		disk_bytes(c) / 1e6, o->dir);
	if (d->resumed)
		fprintf(stderr, "resuming   %zu documents are done\n", d->resumed);
}

static void show_opened(void *arg, const struct dedup *d)
{
	const struct dedup_screen *s = arg;

	if (d->corpus.spooled)
		fprintf(stderr,
			"thresh dedup: standard input was read to its end before; it is "
			"taken from %s/%s, not read again\n",
			d->corpus.spool_dir, CORPUS_SPOOL);
	if (!s->quiet)
		print_plan(d);
}

static void show_read(void *arg, const struct dedup *d)
{
	struct dedup_screen *s = arg;
	const struct corpus *c = &d->input;

	progress_clear(&s->progress);
	if (c->n_binary)
		fprintf(stderr, "thresh dedup: %zu %s, passed over: " STR_FMT "%s\n",
			c->n_binary,
			c->n_binary == 1 ? "file is no document"
					 : "files are no documents",
			STR_ARG(c->first_binary), c->n_binary == 1 ? "" : ", ...");
}

static void show_progress(void *arg, const char *stage, uint64_t done, uint64_t total,
			  double mb)
{
	struct dedup_screen *w = arg;
	char line[160];

	if (w->stage != stage) {
		w->stage = stage;
		w->start_ms = clock_mono_ms(&real_clock);
	}
	if (w->quiet || !progress_due(&w->progress))
		return;
	double s = (double)(clock_mono_ms(&real_clock) - w->start_ms) / 1000;
	double share = total ? (double)done / (double)total : 0;
	if (mb >= 0)
		snprintf(line, sizeof(line), "%s %3.0f %%  %.0f MB/s  %.0f s left", stage,
			 100 * share, s > 0 ? mb / s : 0,
			 share > 0.001 ? s / share - s : 0);
	else
		snprintf(line, sizeof(line), "%s %" PRIu64 "%s", stage, done,
			 total ? "" : " pairs");
	progress_show(&w->progress, str_from(line));
}

static void show_broken(void *arg, const struct diag *why)
{
	struct dedup_screen *s = arg;

	progress_clear(&s->progress);
	if (s->broken < BROKEN_TOLD)
		log_event(LOG_WARN, "broken-record", "%s", why->text);
	if (++s->broken == BROKEN_TOLD)
		log_event(LOG_WARN, "broken-record",
			  "%d so far; more are counted, not told", BROKEN_TOLD);
}

static bool was_interrupted(void *arg)
{
	struct dedup_screen *s = arg;

	return signals_take(&s->signals) != 0;
}

enum status screen_open(struct dedup_screen *s, bool quiet, struct diag *why)
{
	*s = (struct dedup_screen){ .quiet = quiet,
				    .start_ms = clock_mono_ms(&real_clock) };
	progress_init(&s->progress, STDERR_FILENO, &real_clock);
	s->progress.off = quiet;
	return signals_open(&s->signals, (int[]){ SIGINT, SIGTERM, 0 }, why);
}

void screen_close(struct dedup_screen *s)
{
	progress_clear(&s->progress);
	progress_release(&s->progress);
	signals_close(&s->signals, NULL);
}

struct dedup_hooks screen_hooks(struct dedup_screen *s)
{
	return (struct dedup_hooks){ .arg = s,
				     .opened = show_opened,
				     .was_read = show_read,
				     .progress = show_progress,
				     .broken = show_broken,
				     .interrupted = was_interrupted };
}

void print_summary(const struct dedup *d)
{
	struct dedup_counts c = dedup_count(d);

	fprintf(stderr,
		"%zu document%s: %zu kept, %zu exact and %zu near duplicates, %zu seen "
		"before; %" PRIu64 " candidate pairs, %zu verified; %" PRIu64
		" broken records\n",
		d->batch.n, d->batch.n == 1 ? "" : "s", c.kept, c.exact, c.near, d->old.n,
		d->batch.candidates, d->batch.n_pairs, d->broken);
}
