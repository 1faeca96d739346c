/*
 * failure.h - what a transfer that failed is called: its code for log readers, its cause
 * for decisions, and one sentence with the host, the cause and the option that helps.
 * For transfer.c only.
 */
#ifndef FETCH_FAILURE_H
#define FETCH_FAILURE_H

#include "fetch/transfer.h"

int failure_code(const struct transfer *t, CURLcode code);
enum fetch_cause failure_cause(const struct transfer *t, CURLcode code);
/* In the task's arena. */
struct str failure_words(const struct transfer *t, CURLcode code);
#endif
