/*
 * secrets.h - keys, tokens and passwords: where they are found, and that they are nowhere
 * else.
 *
 * A file of mode 0600, {"github": {"token": "..."}, "mastodon@example.social": {...}}, or
 * the environment: THRESH_GITHUB_TOKEN, in capitals, with _ for what is no letter or
 * digit.  An entry NAME@HOST is for one instance.  Every value that was handed out is
 * known here, so that secrets_redact() finds it wherever it went: URL, request, error.
 */
#ifndef SERVICE_SECRETS_H
#define SERVICE_SECRETS_H

#include "service/template.h"

struct secrets {
	struct json *root; /* of the file; NULL: none */
	struct json *kept; /* values that were replaced */
	char *keep_path;   /* of their file; NULL: not kept */
	struct str *known; /* values that were handed out */
	size_t n, cap;
	struct arena arena;
};

void secrets_release(struct secrets *s);
/* ST_DENIED when others than the owner may read the file. */
must_use enum status secrets_load(struct secrets *s, const char *path, struct diag *why);
/* The secret, or empty. */
struct str secrets_find(struct secrets *s, struct str service, struct str host,
			struct str name);
/*
 * A value that replaces another one, such as a new refresh token: from now on it is
 * found, and it is kept in the file of secrets_keep_in(), of mode 0600.
 */
must_use enum status secrets_replace(struct secrets *s, struct str service,
				     struct str host, struct str name, struct str value,
				     struct diag *why);
/* Read the values that were replaced earlier, and keep new ones there. */
must_use enum status secrets_keep_in(struct secrets *s, const char *path,
				     struct diag *why);
/* A value that was learnt on the way, such as a token. */
void secrets_add(struct secrets *s, struct str value);
/* `text` itself when no secret is in it, otherwise a copy in `scratch`. */
struct str secrets_redact(const struct secrets *s, struct str text, struct buf *scratch);
#endif
