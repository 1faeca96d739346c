/* api.h - the commands below 'thresh api'. */
#ifndef CMD_API_H
#define CMD_API_H

#include "api/run.h"
#include "cmd/args.h"
#include "service/secrets.h"

extern const struct command cmd_api_run;    /* api_run.c */
extern const struct command cmd_api_serve;  /* api_serve.c */
extern const struct command cmd_api_lint;   /* api_lint.c */
extern const struct command cmd_api_list;   /* api.c */
extern const struct command cmd_api_status; /* api.c */

/* The first requests and how they fit the budgets, on standard output. */
must_use enum status api_print_plan(const struct campaign *campaigns, size_t n,
				    struct secrets *secrets, struct diag *why);
/* On standard error, a line per budget that the campaigns do not fit. */
void api_warn_of_budgets(const struct campaign *campaigns, size_t n);
void api_print_result(const struct api_result *r, bool json);
/* The value of an option as a C string that lives as long as `a`; NULL when empty. */
const char *cmd_text(struct args *a, struct str s);
#endif
