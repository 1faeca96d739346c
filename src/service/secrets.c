#include "service/secrets.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/alloc.h"
#include "os/file.h"
#include "service/path.h"
#include "warc/redact.h"

#define SECRETS_MAX_BYTES ((size_t)1 << 20)
#define SECRET_LEAST      4 /* shorter values would redact the whole text */

void secrets_release(struct secrets *s)
{
	json_release(&s->root);
	json_release(&s->kept);
	free(s->keep_path);
	free(s->known);
	arena_release(&s->arena);
	*s = (struct secrets){ 0 };
}

enum status secrets_load(struct secrets *s, const char *path, struct diag *why)
{
	cleanup(buf_release) struct buf text = { 0 };
	struct stat st;
	struct diag inner;

	if (stat(path, &st) == 0 && (st.st_mode & 077) != 0)
		return diag_fail(why, ST_DENIED,
				 "%s: others may read this file of secrets (mode %03o); "
				 "chmod 600 it",
				 path, (unsigned)st.st_mode & 0777);
	TRY(file_load(path, SECRETS_MAX_BYTES, &text, why));
	if (json_parse(buf_str(&text), &s->root, &inner) != ST_OK)
		return diag_fail(why, ST_SYNTAX, "%s: %s", path, inner.text);
	return ST_OK;
}

static struct str from_environment(struct str service, struct str name)
{
	cleanup(buf_release) struct buf key = { 0 };

	buf_add(&key, STR("THRESH_"));
	buf_add(&key, service);
	buf_add_char(&key, '_');
	buf_add(&key, name);
	for (size_t i = 0; i < key.n; i++) {
		char c = key.p[i];

		if (c >= 'a' && c <= 'z')
			key.p[i] = (char)(c - 'a' + 'A');
		else if (!ascii_is_digit(c) && !ascii_is_alpha(c))
			key.p[i] = '_';
	}
	const char *value = getenv(buf_cstr(&key));
	return value ? str_from(value) : STR("");
}

void secrets_add(struct secrets *s, struct str value)
{
	cleanup(buf_release) struct buf encoded = { 0 };

	if (value.n < SECRET_LEAST)
		return;
	for (size_t i = 0; i < s->n; i++)
		if (str_eq(s->known[i], value))
			return;
	VEC_ADD(s->known, s->n, s->cap, arena_copy(&s->arena, value));
	buf_add_component(&encoded, value);
	if (!str_eq(buf_str(&encoded), value))
		VEC_ADD(s->known, s->n, s->cap, arena_copy(&s->arena, buf_str(&encoded)));
}

struct str secrets_find(struct secrets *s, struct str service, struct str host,
			struct str name)
{
	cleanup(buf_release) struct buf entry = { 0 }, key = { 0 };
	struct str value;

	buf_add(&key, name);
	buf_add(&entry, service);
	buf_add_char(&entry, '@');
	buf_add(&entry, host);
	value = json_str(json_get(json_get(s->kept, buf_cstr(&entry)), buf_cstr(&key)));
	if (value.n == 0)
		value = json_str(
			json_get(json_get(s->root, buf_cstr(&entry)), buf_cstr(&key)));
	if (value.n == 0) {
		buf_reset(&entry);
		buf_add(&entry, service);
		value = json_str(
			json_get(json_get(s->root, buf_cstr(&entry)), buf_cstr(&key)));
	}
	if (value.n == 0)
		value = from_environment(service, name);
	secrets_add(s, value);
	return value;
}

/* --- values that were replaced --- */

enum status secrets_keep_in(struct secrets *s, const char *path, struct diag *why)
{
	cleanup(buf_release) struct buf text = { 0 };
	struct diag inner;

	free(s->keep_path);
	s->keep_path = strdup(path);
	json_release(&s->kept);
	if (!file_exists(path))
		return ST_OK;
	TRY(file_load(path, SECRETS_MAX_BYTES, &text, why));
	if (json_parse(buf_str(&text), &s->kept, &inner) != ST_OK)
		return diag_fail(why, ST_SYNTAX, "%s: %s", path, inner.text);
	return ST_OK;
}

/* All entries but this one, then this one. */
static void add_entries(const struct secrets *s, struct str entry, struct str name,
			struct str value, struct json_out *o)
{
	json_open(o, '{');
	for (const struct json *e = json_first(s->kept); e; e = json_next(e)) {
		if (str_eq(json_name(e), entry))
			continue;
		json_key(o, json_name(e));
		value_add_tree(e, o);
	}
	json_key(o, entry);
	json_open(o, '{');
	json_key(o, name);
	json_add_str(o, value);
	json_close(o, '}');
	json_close(o, '}');
}

enum status secrets_replace(struct secrets *s, struct str service, struct str host,
			    struct str name, struct str value, struct diag *why)
{
	cleanup(buf_release) struct buf entry = { 0 }, text = { 0 };
	struct json_out o = { .to = &text };
	struct json *root = NULL;

	buf_add(&entry, service);
	buf_add_char(&entry, '@');
	buf_add(&entry, host);
	add_entries(s, buf_str(&entry), name, value, &o);
	TRY(json_parse(buf_str(&text), &root, why));
	json_release(&s->kept);
	s->kept = root;
	secrets_add(s, value);
	return s->keep_path ? file_save_private(s->keep_path, buf_str(&text), why)
			    : ST_OK;
}

struct str secrets_redact(const struct secrets *s, struct str text, struct buf *scratch)
{
	bool changed = false;

	buf_reset(scratch);
	for (size_t i = 0; i < text.n;) {
		size_t k = 0;

		while (k < s->n && !str_starts(str_skip(text, i), s->known[k]))
			k++;
		if (k < s->n) {
			buf_add(scratch, STR(REDACTED));
			i += s->known[k].n;
			changed = true;
		} else {
			buf_add_char(scratch, text.p[i++]);
		}
	}
	return changed ? buf_str(scratch) : text;
}
