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
	bool families, keep_groups, doubt;
};

#define LEARN_ROWS(settings, member)                                                   \
	{ .name = "fpr",                                                               \
	  .type = OPTION_REAL,                                                         \
	  .offset = offsetof(settings, member.fpr),                                    \
	  .max = 1,                                                                    \
	  .standard = "0",                                                             \
	  .value = "RATE",                                                             \
	  .help = "largest share of wrong pairs a rule may have, beside "              \
		  "those of wrong labels" },                                           \
		{ .name = "min-freq",                                                  \
		  .type = OPTION_UINT,                                                 \
		  .offset = offsetof(settings, member.min_freq),                       \
		  .max = 1e9,                                                          \
		  .standard = "0",                                                     \
		  .value = "N",                                                        \
		  .help = "clusters that must offer a rule; 0: 2, and 1 more for "     \
			  "each tenfold above 1,000 clusters" },                       \
		{ .name = "min-support",                                               \
		  .type = OPTION_UINT,                                                 \
		  .offset = offsetof(settings, member.min_support),                    \
		  .max = 1e9,                                                          \
		  .standard = "0",                                                     \
		  .value = "N",                                                        \
		  .help = "pairs a rule must join in the validation set; 0: 1 with "   \
			  "doubt, else as min-freq" },                                 \
		{ .name = "sample",                                                    \
		  .letter = 'K',                                                       \
		  .type = OPTION_UINT,                                                 \
		  .offset = offsetof(settings, member.sample),                         \
		  .max = SAMPLE_MAX,                                                   \
		  .standard = "10",                                                    \
		  .value = "N",                                                        \
		  .help = "URLs aligned per cluster; 0: all of them" },                \
		{ .name = "card",                                                      \
		  .type = OPTION_UINT,                                                 \
		  .offset = offsetof(settings, member.card),                           \
		  .min = 2,                                                            \
		  .max = 1000,                                                         \
		  .standard = "5",                                                     \
		  .value = "N",                                                        \
		  .help = "tokens at one place that make it a class" },                \
		{ .name = "seed",                                                      \
		  .type = OPTION_UINT,                                                 \
		  .offset = offsetof(settings, member.seed),                           \
		  .standard = "1",                                                     \
		  .value = "N",                                                        \
		  .help = "number from which samples and folds are drawn" },           \
		{ .name = "universal",                                                 \
		  .type = OPTION_UINT,                                                 \
		  .offset = offsetof(settings, member.universal),                      \
		  .max = 1e9,                                                          \
		  .standard = "3",                                                     \
		  .value = "N",                                                        \
		  .help = "sites that must confirm a rule before it holds "            \
			  "everywhere; 0: never" },                                    \
		{ .name = "doubt",                                                     \
		  .type = OPTION_FLAG,                                                 \
		  .offset = offsetof(settings, member.doubt),                          \
		  .standard = "yes",                                                   \
		  .help = "labels are evidence: a rule may be contradicted as "        \
			  "often as labels are wrong" },                               \
		{ .name = "keep-groups",                                               \
		  .type = OPTION_FLAG,                                                 \
		  .offset = offsetof(settings, member.keep_groups),                    \
		  .help = "keep groups in the key instead of choosing a token" },      \
	{                                                                              \
		.name = "threads", .letter = 't', .type = OPTION_UINT,                 \
		.offset = offsetof(settings, member.threads), .max = 64,               \
		.standard = "0", .value = "N", .help = "threads; 0: one per processor" \
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
	cmd_rules_import, cmd_rules_clusters, cmd_rules_calibrate;
#endif
