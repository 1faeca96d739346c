/* commands.h - one line a command; each lives in the file of its name. */
#ifndef CMD_COMMANDS_H
#define CMD_COMMANDS_H

#include "cmd/command.h"

extern const struct command cmd_api;        /* api.c */
extern const struct command cmd_why;        /* why.c */
extern const struct command cmd_status;     /* status.c */
extern const struct command cmd_crawl;      /* crawl.c */
extern const struct command cmd_serve;      /* serve.c */
extern const struct command cmd_completion; /* manual.c */
extern const struct command cmd_kb;         /* kb.c */
extern const struct command cmd_man;        /* manual.c */
extern const struct command cmd_testweb;    /* testweb.c */
extern const struct command cmd_apps;       /* apps.c */
extern const struct command cmd_rules;
extern const struct command cmd_states;
extern const struct command cmd_states_diff;     /* states_diff.c */
extern const struct command cmd_states_validate; /* states_validate.c */
extern const struct command cmd_warc;
extern const struct command cmd_dedup;     /* dedup.c */
extern const struct command cmd_report;    /* report.c */
extern const struct command cmd_compare;   /* compare.c */
extern const struct command cmd_calibrate; /* calibrate.c */
extern const struct command cmd_simulate;  /* simulate.c */
extern const struct command cmd_mirror;
#endif
