/* The last words of a crawl. */
#include "cmd/crawl_end.h"

#include <stdio.h>
#include <unistd.h>

/* What must change before it can go on. */
static void say_how_to_go_on(const struct crawl_start *s, enum crawl_end end,
			     enum reason limit)
{
	static const char *const options[REASONS] = {
		[REASON_MAX_PAGES] = "-n PAGES",
		[REASON_MAX_BYTES] = "--max-bytes BYTES",
		[REASON_MAX_TIME] = "--max-time TIME",
	};

	if (end == CRAWL_LIMIT && options[limit])
		fprintf(stderr, "To resume with a new limit: thresh crawl %s %s\n",
			s->dir, options[limit]);
	else if (end != CRAWL_FINISHED)
		fprintf(stderr, "To resume: thresh crawl %s\n", s->dir);
}

void crawl_end_print(const struct crawl_start *s, const struct crawl_result *r,
		     const struct diag *why)
{
	const struct crawl_counts *n = &r->counts;

	for (size_t i = 0; i < r->unreachable.n; i++)
		fprintf(stderr, "thresh crawl: " STR_FMT "\n",
			STR_ARG(r->unreachable.v[i]));
	if (s->settings.quiet || s->settings.json) {
		if (r->end == CRAWL_DISK_LOW || r->end == CRAWL_FAILED ||
		    r->end == CRAWL_BLOCKED)
			fprintf(stderr, "thresh crawl: %s\n", why->text);
		return;
	}
	fprintf(stderr,
		"%s: %llu fetched, %llu new, %llu duplicates, %llu near-duplicates, %llu "
		"failed",
		why->text, (unsigned long long)n->done, (unsigned long long)n->novel,
		(unsigned long long)n->exact, (unsigned long long)n->near,
		(unsigned long long)counts_failed(n));
	if (n->unreachable > 0)
		fprintf(stderr, ", %llu on sites that could not be reached",
			(unsigned long long)n->unreachable);
	fprintf(stderr, "\n");
	if (n->rule_skips + n->refused + n->dropped > 0)
		fprintf(stderr,
			"not fetched: %llu skipped by rules, %llu refused or dropped; "
			"the reason of each is in %s/skipped.jsonl\n",
			(unsigned long long)n->rule_skips,
			(unsigned long long)(n->refused + n->dropped), s->dir);
	if (n->revisited > 0)
		fprintf(stderr,
			"revisited: %llu pages, %llu changed, %llu unchanged, %llu "
			"gone\n",
			(unsigned long long)n->revisited, (unsigned long long)n->changed,
			(unsigned long long)n->unchanged, (unsigned long long)n->gone);
	if (n->rendered > 0)
		fprintf(stderr,
			"rendered %llu of %llu pages; they brought %llu links and %.1f "
			"MB of text that the plain fetch had not\n",
			(unsigned long long)n->rendered, (unsigned long long)n->done,
			(unsigned long long)n->render_links,
			(double)n->render_text_bytes / 1e6);
	if (n->module_sent + n->module_missed > 0)
		fprintf(stderr,
			"module: %llu pages sent, %llu answered, %llu missed because it "
			"was too slow or not there\n",
			(unsigned long long)n->module_sent,
			(unsigned long long)n->module_answered,
			(unsigned long long)n->module_missed);
	if (n->render_wanted > 0)
		fprintf(stderr, "%llu pages show little without their scripts: %s\n",
			(unsigned long long)n->render_wanted,
			geteuid() == 0 ? "--browser auto renders them, as root without a "
					 "sandbox"
				       : "with a Chromium they are rendered (apt-get "
					 "install chromium-headless-shell)");
	if (s->settings.report)
		fprintf(stderr, "report: %s/report.html\n", s->dir);
	say_how_to_go_on(s, r->end, r->limit);
}
