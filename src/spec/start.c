#include "spec/start.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "os/file.h"
#include "spec/seeds.h"
#include "url/host.h"
#include "url/suffix.h"
#include "url/url.h"

#define CONFIG_MAX ((size_t)64 << 20)

void crawl_start_release(struct crawl_start *s)
{
	settings_release(&s->settings);
	str_list_release(&s->seeds);
	str_list_release(&s->passed_over);
	arena_release(&s->bytes);
	free(s->dir);
	*s = (struct crawl_start){ 0 };
}

static enum status read_config(struct crawl_start *s, const char *path, struct diag *why)
{
	cleanup(buf_release) struct buf text = { 0 };
	struct diag detail;

	TRY(file_load(path, CONFIG_MAX, &text, why));
	enum status st = settings_parse(buf_str(&text), &s->settings, &s->seeds,
					&s->bytes, &detail);
	return st == ST_OK ? ST_OK : diag_fail(why, st, "%s: %s", path, detail.text);
}

static enum status read_seeds(struct crawl_start *s, const char *path, struct diag *why)
{
	cleanup(buf_release) struct buf text = { 0 };

	TRY(file_load(path, CONFIG_MAX, &text, why));
	return seeds_parse(buf_str(&text), str_from(path), &s->seeds,
			   &s->settings.revisit_seeds, &s->passed_over, &s->bytes, why);
}

static bool is_crawl_folder(struct crawl_start *s, const char *path)
{
	return dir_exists(path) &&
	       file_exists(path_join(&s->bytes, path, STR("crawl.yaml")));
}

static bool is_config(struct str word)
{
	return str_ends(word, STR(".yaml")) || str_ends(word, STR(".yml"));
}

/*
 * A name with a dot whose last part is no top-level domain is a file that is not there:
 * seeds.lst, list.txt.  Who means such a host writes its scheme.
 */
static bool looks_like_a_file(struct str word)
{
	struct ip ip;

	return str_find(word, STR("://")) == STR_NONE &&
	       str_find_char(word, '/') == STR_NONE &&
	       str_find_char(word, ':') == STR_NONE &&
	       str_find_char(word, '.') != STR_NONE && !host_to_ip(word, &ip) &&
	       !suffix_is_listed(word);
}

static enum status read_word(struct crawl_start *s, struct str word, struct diag *why)
{
	const char *path = word.p; /* of the command line, so a C string */

	if (is_crawl_folder(s, path)) {
		s->dir = strdup(path);
		return read_config(s, path_join(&s->bytes, path, STR("crawl.yaml")), why);
	}
	if (file_exists(path) && is_config(word))
		return read_config(s, path, why);
	if (file_exists(path) && !dir_exists(path))
		return read_seeds(s, path, why);
	if (dir_exists(path))
		return diag_fail(why, ST_SYNTAX,
				 "%s is a folder without a crawl; give the URL to crawl, "
				 "and -o %s to put it there",
				 path, path);
	if (looks_like_a_file(word))
		return diag_fail(why, ST_NOT_FOUND,
				 "%s: there is no such file (a host of that name would "
				 "be https://%s/)",
				 path, path);
	VEC_ADD(s->seeds.v, s->seeds.n, s->seeds.cap, seed_with_scheme(word, &s->bytes));
	return ST_OK;
}

/* Named after the server of the first seed: what listens elsewhere is another one. */
static enum status choose_folder(struct crawl_start *s, struct str output,
				 struct diag *why)
{
	cleanup(buf_release) struct buf scratch = { 0 }, name = { 0 };
	struct url u;

	if (output.n > 0) {
		free(s->dir);
		s->dir = strndup(output.p, output.n);
		return ST_OK;
	}
	if (s->dir)
		return ST_OK;
	if (s->seeds.n == 0)
		return diag_fail(why, ST_SYNTAX,
				 "give a URL, a file of seeds, a crawl.yaml "
				 "or the folder of a crawl");
	TRY(url_parse(s->seeds.v[0], NULL, &scratch, &u, why));
	/* The host is [a-z0-9.-] or an address: a harmless name, but not a hidden one. */
	buf_add(&name, u.host);
	if (u.port.n > 0) {
		buf_add_char(&name, '_');
		buf_add(&name, u.port);
	}
	s->dir = strndup(name.p, name.n);
	return ST_OK;
}

static bool has_seed(const struct str_list *seeds, struct str seed)
{
	for (size_t i = 0; i < seeds->n; i++)
		if (str_eq(seeds->v[i], seed))
			return true;
	return false;
}

/* The same command again resumes. */
static enum status read_folder(struct crawl_start *s, struct diag *why)
{
	struct str_list given = TAKE(s->seeds);
	enum status st =
		read_config(s, path_join(&s->bytes, s->dir, STR("crawl.yaml")), why);

	for (size_t i = 0; st == ST_OK && i < given.n; i++) {
		if (has_seed(&s->seeds, given.v[i]))
			continue;
		VEC_ADD(s->seeds.v, s->seeds.n, s->seeds.cap, given.v[i]);
		s->seeds_added++;
	}
	str_list_release(&given);
	return st;
}

/* A limit that is given when a crawl goes on is a new one. */
static void renew_limits(struct crawl_start *s, const struct option_row *const *rows,
			 size_t n)
{
	for (size_t i = 0; s->resumes && i < n; i++) {
		s->settings.renew_pages |= strcmp(rows[i]->name, "max-pages") == 0;
		s->settings.renew_bytes |= strcmp(rows[i]->name, "max-bytes") == 0;
		s->settings.renew_time |= strcmp(rows[i]->name, "max-time") == 0;
	}
}

enum status crawl_start_read(struct crawl_start *s, const struct str *words, size_t n,
			     const struct crawl_settings *given,
			     const struct option_row *const *rows, size_t n_rows,
			     struct diag *why)
{
	options_default(crawl_options, &s->settings, &s->bytes);
	for (size_t i = 0; i < n; i++)
		TRY(read_word(s, words[i], why));
	TRY(choose_folder(s, given->output, why));
	s->resumes = is_crawl_folder(s, s->dir);
	if (n > 0 && s->resumes)
		TRY(read_folder(s, why));
	TRY(settings_overlay(&s->settings, given, rows, n_rows, &s->bytes, why));
	renew_limits(s, rows, n_rows);
	return s->seeds.n > 0 ? ST_OK : diag_fail(why, ST_SYNTAX, "there is no seed");
}
