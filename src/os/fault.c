#include "os/fault.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define RULES_MAX 8

enum fault_kind { KIND_FAIL, KIND_KILL, KIND_TEAR };

struct rule {
	enum fault_kind kind;
	enum fault_op op;
	uint64_t at;
	bool onward; /* and all calls after it */
	int error;
};

static struct rule rules[RULES_MAX];
static size_t rule_count;
static _Atomic uint64_t calls[FAULT_OPS];
static atomic_bool armed;
static pthread_once_t read_environment = PTHREAD_ONCE_INIT;

static const char *const kind_names[] = { "fail-", "kill-", "tear-" };
static const char *const op_names[FAULT_OPS] = { "write", "sync", "rename", "truncate",
						 "create" };
static const struct {
	const char *name;
	int error;
} errors[] = {
	{ "EIO", EIO },       { "ENOSPC", ENOSPC }, { "EROFS", EROFS },
	{ "EACCES", EACCES }, { "EDQUOT", EDQUOT }, { "EMFILE", EMFILE },
};

/* The index of the name that `in` starts with, consumed; `n` when none does. */
static size_t take_word(struct str *in, const char *const *names, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (str_take_prefix(in, str_from(names[i])))
			return i;
	return n;
}

static bool parse_error(struct str name, int *ret)
{
	for (size_t i = 0; i < COUNT(errors); i++)
		if (str_eq(name, str_from(errors[i].name))) {
			*ret = errors[i].error;
			return true;
		}
	return false;
}

static bool parse_rule(struct str text, struct rule *ret)
{
	struct rule r = { .error = EIO };
	size_t kind = take_word(&text, kind_names, COUNT(kind_names));
	size_t op = take_word(&text, op_names, COUNT(op_names));

	if (kind == COUNT(kind_names) || op == COUNT(op_names) ||
	    !str_take_char(&text, '=') || !str_take_uint(&text, UINT64_MAX, &r.at))
		return false;
	r.kind = (enum fault_kind)kind;
	r.op = (enum fault_op)op;
	r.onward = str_take_char(&text, '+');
	if (str_take_char(&text, ':'))
		return parse_error(text, &r.error) && (*ret = r, true);
	*ret = r;
	return text.n == 0;
}

enum status fault_set(struct str spec, struct diag *why)
{
	struct rule parsed[RULES_MAX];
	size_t n = 0;
	struct str part;

	while (str_take_until(&spec, ',', &part)) {
		if (n == RULES_MAX)
			return diag_fail(why, ST_TOO_LARGE, "more than %d faults",
					 RULES_MAX);
		if (!parse_rule(part, &parsed[n++]))
			return diag_fail(why, ST_SYNTAX, "no such fault: " STR_FMT,
					 STR_ARG(part));
	}
	atomic_store(&armed, false);
	for (size_t i = 0; i < n; i++)
		rules[i] = parsed[i];
	for (size_t i = 0; i < FAULT_OPS; i++)
		atomic_store(&calls[i], 0);
	rule_count = n;
	atomic_store(&armed, n > 0);
	return ST_OK;
}

static void arm_from_environment(void)
{
	const char *spec = getenv("THRESH_FAULT");
	struct diag why;

	if (!spec || atomic_load(&armed))
		return;
	/* A misspelt fault would make a test pass that tests nothing. */
	if (fault_set(str_from(spec), &why) != ST_OK) {
		(void)!write(STDERR_FILENO, why.text, strlen(why.text));
		abort();
	}
}

void fault_die(void)
{
	kill(getpid(), SIGKILL);
	for (;;)
		pause();
}

int fault_next(enum fault_op op)
{
	pthread_once(&read_environment, arm_from_environment);
	if (!atomic_load_explicit(&armed, memory_order_acquire))
		return 0;

	uint64_t nr = atomic_fetch_add(&calls[op], 1) + 1;
	for (size_t i = 0; i < rule_count; i++) {
		const struct rule *r = &rules[i];

		if (r->op != op || (r->onward ? nr < r->at : nr != r->at))
			continue;
		if (r->kind == KIND_KILL)
			fault_die();
		return r->kind == KIND_TEAR ? FAULT_TEAR : r->error;
	}
	return 0;
}

uint64_t fault_calls(enum fault_op op)
{
	return atomic_load(&calls[op]);
}
