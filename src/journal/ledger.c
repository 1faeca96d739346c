#include "journal/ledger.h"

#include "base/date.h"
#include "base/json.h"

static void put(struct json_out *o, const char *name, struct str value)
{
	if (value.n > 0)
		json_put_str(o, name, value);
}

void ledger_add(struct buf *to, const struct ledger_line *l)
{
	const struct reason_row *r = &reason_table[l->reason];
	struct json_out o = { .to = to };
	char text[40];
	struct buf date = { .p = text, .cap = sizeof(text), .limit = sizeof(text) };

	buf_add_date_iso(&date, l->now_ms, true);
	json_open(&o, '{');
	json_put_str(&o, "time", buf_str(&date));
	json_put_str(&o, "url", l->url);
	json_put_str(&o, "stage", r->stage);
	json_put_str(&o, "rule", l->rules.n ? l->rules : r->word);
	put(&o, "detail", l->detail);
	put(&o, "key", l->key);
	put(&o, "via", l->via);
	json_put_int(&o, "code", l->code ? l->code : r->code);
	json_close(&o, '}');
	buf_add_char(to, '\n');
}
