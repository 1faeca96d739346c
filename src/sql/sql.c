#include "sql/sql.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

static bool is_server(struct str place)
{
	return str_starts(place, STR("postgres://")) ||
	       str_starts(place, STR("postgresql://")) ||
	       str_find(place, STR("host=")) != STR_NONE ||
	       str_find(place, STR("dbname=")) != STR_NONE;
}

enum status sql_open(struct sql **ret, const char *place, struct diag *why)
{
	struct sql *db = NEW(struct sql);
	enum status st;

	db->place = strdup(place);
	st = is_server(str_from(place)) ? sql_open_pg(db, why) : sql_open_sqlite(db, why);
	if (st == ST_OK)
		*ret = db;
	else
		sql_close(&db);
	return st;
}

void sql_close(struct sql **db)
{
	if (!*db)
		return;
	if ((*db)->kind && (*db)->handle)
		(*db)->kind->close(*db);
	free((*db)->place);
	free(*db);
	*db = NULL;
}

enum status sql_reconnect(struct sql *db, struct diag *why)
{
	return db->kind->reconnect(db, why);
}

enum status sql_wait(struct sql *db, int64_t timeout_ms, struct diag *why)
{
	return db->kind->wait(db, timeout_ms, why);
}

enum status sql_notify(struct sql *db, struct diag *why)
{
	return db->kind->notify(db, why);
}

static const char *meaning(const struct sql_kind *k, struct str word)
{
	const struct {
		const char *name, *text;
	} words[] = {
		{ "begin", k->begin }, { "now", k->now },     { "serial", k->serial },
		{ "skip", k->skip },   { "bytes", k->bytes },
	};

	for (size_t i = 0; i < COUNT(words); i++)
		if (str_eq(word, str_from(words[i].name)))
			return words[i].text;
	return "";
}

enum status sql_run(struct sql *db, const char *text, const struct str *params, size_t n,
		    sql_row_fn *each, void *ctx, struct diag *why)
{
	cleanup(buf_release) struct buf said = { 0 };
	struct str in = str_from(text), part;

	while (in.n) {
		size_t at = str_find_char(in, '{');

		buf_add(&said, str_slice(in, 0, at == STR_NONE ? in.n : at));
		if (at == STR_NONE)
			break;
		in = str_skip(in, at + 1);
		(void)str_take_until(&in, '}', &part);
		buf_add(&said, str_from(meaning(db->kind, part)));
	}
	return db->kind->run(db, buf_cstr(&said), params, n, each, ctx, why);
}
