/* rules.h - what the children of 'thresh rules' share. */
#ifndef CMD_RULES_H
#define CMD_RULES_H

#include "cmd/args.h"
#include "learn/learn.h"
#include "os/map_file.h"

/* How rules are learnt, as options; the first member of the settings of a command. */
struct learn_settings {
	int method;
	double fpr;
	uint64_t min_freq, min_support, sample, card, seed, universal, threads;
	bool families, keep_groups;
};

#define LEARN_ROWS(type, field)                                                            \
	{ "fpr",       0,                                                                  \
	  OPTION_REAL, offsetof(type, field.fpr),                                          \
	  0,           1,                                                                  \
	  "0",         "RATE",                                                             \
	  NULL,        "largest share of wrong pairs a rule may have" },                   \
		{ "min-freq", 0,   OPTION_UINT, offsetof(type, field.min_freq),   1, 1e9,  \
		  "10",       "N", NULL,        "clusters that must offer a rule" },       \
		{ "min-support",                                                           \
		  0,                                                                       \
		  OPTION_UINT,                                                             \
		  offsetof(type, field.min_support),                                       \
		  1,                                                                       \
		  1e9,                                                                     \
		  "10",                                                                    \
		  "N",                                                                     \
		  NULL,                                                                    \
		  "pairs a rule must join in the validation set" },                        \
		{ "sample", 'K', OPTION_UINT, offsetof(type, field.sample), 2, SAMPLE_MAX, \
		  "10",     "N", NULL,        "URLs looked at in a cluster" },             \
		{ "card",      0,                                                          \
		  OPTION_UINT, offsetof(type, field.card),                                 \
		  2,           1000,                                                       \
		  "5",         "N",                                                        \
		  NULL,        "tokens at one place that make it a class" },               \
		{ "seed",      0,                                                          \
		  OPTION_UINT, offsetof(type, field.seed),                                 \
		  0,           0,                                                          \
		  "1",         "N",                                                        \
		  NULL,        "number from which samples and folds are drawn" },          \
		{ "universal",                                                             \
		  0,                                                                       \
		  OPTION_UINT,                                                             \
		  offsetof(type, field.universal),                                         \
		  0,                                                                       \
		  1e9,                                                                     \
		  "3",                                                                     \
		  "N",                                                                     \
		  NULL,                                                                    \
		  "sites that must confirm a rule before it holds everywhere; 0: "         \
		  "never" },                                                               \
		{ "keep-groups",                                                           \
		  0,                                                                       \
		  OPTION_FLAG,                                                             \
		  offsetof(type, field.keep_groups),                                       \
		  0,                                                                       \
		  0,                                                                       \
		  NULL,                                                                    \
		  NULL,                                                                    \
		  NULL,                                                                    \
		  "keep groups in the key instead of choosing a token" },                  \
	{                                                                                  \
		"threads", 't', OPTION_UINT, offsetof(type, field.threads), 0, 64, "0",    \
			"N", NULL, "threads; 0: one a processor"                           \
	}

struct learn_options learn_options_from(const struct learn_settings *s);

/* Cluster files, and the memory their URLs lie in. */
struct cluster_files {
	struct url_set urls;
	struct map_file *maps;
	size_t n, cap;
	struct buf input; /* of "-" */
};

void cluster_files_release(struct cluster_files *f);
/* ARGS_GO, or an exit code after saying what is wrong. */
int cluster_files_load(const struct command *self, const struct args *args,
		       struct cluster_files *ret);
/* "thresh rules learn: why" on stderr; returns `code`. */
int rules_fail(const struct command *self, int code, const char *why);
/* Standard input to its end. */
must_use enum status read_stdin(struct buf *to, struct diag *why);
/* The file, folder, or the shipped rules when `path` is "general". */
must_use enum status rules_open(struct str path, struct rule_set *ret, struct diag *why);

extern const struct command cmd_rules_learn, cmd_rules_apply, cmd_rules_eval,
	cmd_rules_show, cmd_rules_map, cmd_rules_reduce, cmd_rules_export,
	cmd_rules_import, cmd_rules_clusters;
#endif
