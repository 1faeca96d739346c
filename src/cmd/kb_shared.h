/* kb_shared.h - what the files of 'thresh kb' share. */
#ifndef CMD_KB_SHARED_H
#define CMD_KB_SHARED_H

#include "cmd/args.h"
#include "cmd/command.h"
#include "kb/kb.h"

extern const struct command kb_query_command;  /* kb_query.c */
extern const struct command kb_update_command; /* kb_query.c */
extern const struct command kb_serve_command;  /* kb_serve.c */
extern const struct command kb_dump_command;   /* kb_admin.c */
extern const struct command kb_stats_command;  /* kb_admin.c */
extern const struct command kb_check_command;  /* kb_admin.c */

enum status kb_write_stdout(void *context, struct str bytes);
/* Say what went wrong; gives the exit code. */
int kb_complain(const struct command *self, enum status st, const struct diag *why);
int kb_want(const struct command *self, const char *what);
/* The text of a query: the operand at `at`, or the file ("-": standard input). */
must_use enum status kb_get_text(const struct args *args, size_t at, struct str file,
				 struct buf *to, struct diag *why);
#endif
