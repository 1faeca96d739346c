#include "service/secrets.h"

#include <stdlib.h>
#include <sys/stat.h>

#include "base/alloc.h"
#include "os/file.h"
#include "warc/redact.h"

#define SECRETS_MAX_BYTES ((size_t)1 << 20)
#define SECRET_LEAST      4 /* shorter values would redact the whole text */

void secrets_release(struct secrets *s)
{
	json_release(&s->root);
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
	value = json_str(json_get(json_get(s->root, buf_cstr(&entry)), buf_cstr(&key)));
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
