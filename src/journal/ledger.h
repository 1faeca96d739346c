/*
 * ledger.h - DIR/skipped.jsonl: a line for every URL that was found and not fetched.
 *
 * Appended by the writer; read by people and by the report.  Pure.
 */
#ifndef JOURNAL_LEDGER_H
#define JOURNAL_LEDGER_H

#include "base/buf.h"
#include "policy/reason.h"

struct ledger_line {
	struct str url, via;
	struct str key;    /* of a skip: what rules make of the URL */
	struct str rules;  /* of a skip: their texts, in place of the reason's word */
	struct str detail; /* pattern, line of robots.txt, URL that stands for it */
	enum reason reason;
	int code; /* 0: the reason's own */
	int64_t now_ms;
};

void ledger_add(struct buf *to, const struct ledger_line *l);
#endif
