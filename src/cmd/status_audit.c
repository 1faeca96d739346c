#include "cmd/status_audit.h"

#include <stdio.h>

#include "cmd/command.h"
#include "journal/audit.h"

/* --- the audit --- */

#define NAMED_MOST 10

static bool name_one(void *arg, struct str url)
{
	unsigned *n = arg;

	printf("           " STR_FMT "\n", STR_ARG(url));
	return ++*n < NAMED_MOST;
}

static void print_violations(const struct audit *a)
{
	if (a->violations == 0)
		return;
	printf("%10llu events that cannot happen, the first: " STR_FMT "\n",
	       (unsigned long long)a->violations, STR_ARG(buf_str(&a->first_violation)));
	for (unsigned s = 0; s < URL_STATES; s++)
		for (unsigned e = 0; e < URL_EVENTS; e++)
			if (a->violation[s][e] > 0)
				printf("%20llu %s while %s\n",
				       (unsigned long long)a->violation[s][e],
				       url_event_names[e], url_state_names[s]);
}

static void print_audit(const struct audit *a)
{
	static const char *const words[AUDIT_ENDS] = {
		[AUDIT_FETCHED] = "fetched",
		[AUDIT_MOVED] = "redirected",
		[AUDIT_GONE] = "gone (4xx)",
		[AUDIT_FAILED] = "failed (5xx, no answer)",
		[AUDIT_REFUSED] = "refused when their turn came",
		[AUDIT_SKIPPED] = "skipped for another URL that was answered",
		[AUDIT_UNFETCHED] = "skipped for another URL that was refused",
		[AUDIT_LOST] = "skipped for another URL that failed",
		[AUDIT_WAITING] = "still queued",
	};

	printf("%-10s %zu URLs accepted\n", "audit", a->n);
	for (unsigned i = 0; i < AUDIT_ENDS; i++) {
		printf("%10llu %s\n", (unsigned long long)a->count[i], words[i]);
		for (enum reason r = 0; i == AUDIT_REFUSED && r < REASONS; r++)
			if (a->refused[r] > 0)
				printf("%20llu " STR_FMT ": " STR_FMT "\n",
				       (unsigned long long)a->refused[r],
				       STR_ARG(reason_table[r].word),
				       STR_ARG(reason_table[r].sentence));
	}
	print_violations(a);
}

int status_audit(const char *dir)
{
	static const enum audit_end bad[] = { AUDIT_UNFETCHED, AUDIT_LOST,
					      AUDIT_WAITING };
	cleanup(audit_release) struct audit a = { 0 };
	struct diag why;
	enum status st = audit_crawl(&a, dir, &why);

	if (st == ST_OK)
		print_audit(&a);
	for (size_t i = 0; i < COUNT(bad) && st == ST_OK; i++) {
		unsigned n = 0;

		if (a.count[bad[i]] == 0)
			continue;
		printf("%s:\n", audit_end_names[bad[i]]);
		st = audit_list(&a, dir, bad[i], name_one, &n, &why);
	}
	if (st != ST_OK) {
		fprintf(stderr, "thresh status: %s\n", why.text);
		return EXIT_FAILED;
	}
	return a.count[AUDIT_LOST] + a.count[AUDIT_WAITING] + a.violations > 0
		       ? EXIT_DIFFERENT
		       : EXIT_FINE;
}
