#include <stdio.h>
#include <stdlib.h>

#include "applearn/site_learner.h"
#include "base/alloc.h"
#include "base/hash.h"
#include "cmd/apps.h"
#include "os/file.h"
#include "os/map_file.h"
#include "report/tally.h"
#include "url/normal.h"

#define SITES_MAX   1000
#define BLOCK_BYTES 40 /* shorter ones are labels */
#define LEAST_PAGES 20 /* of a site; fewer teach nothing */

struct learn_settings {
	struct apps_settings apps; /* its --apps, --only */
	struct str out;
	bool all;
};

struct learning {
	const struct learn_settings *settings;
	struct app_library library;
	struct app_scan scan;
	struct arena arena;
	struct site_learner *sites;
	size_t n, cap;
	struct map by_server; /* + 1 */
	struct buf url[2];
};

static void learning_release(struct learning *l)
{
	for (size_t i = 0; i < l->n; i++)
		site_learner_release(&l->sites[i]);
	free(l->sites);
	map_release(&l->by_server);
	app_scan_release(&l->scan);
	library_release(&l->library);
	arena_release(&l->arena);
	buf_release(&l->url[0]);
	buf_release(&l->url[1]);
}

/* "http://host:port" of an absolute URL. */
static struct str origin_of(const struct url *u)
{
	return (struct str){ u->href.p, (size_t)(u->path.p - u->href.p) };
}

static struct site_learner *site_of(struct learning *l, struct str origin)
{
	bool is_new;

	if (l->n >= SITES_MAX && !map_find(&l->by_server, hash64(origin)))
		return NULL;
	uint64_t *at = map_add(&l->by_server, hash64(origin), &is_new);
	if (is_new) {
		VEC_ADD(l->sites, l->n, l->cap, (struct site_learner){ 0 });
		*at = l->n;
		l->sites[l->n - 1].server =
			arena_copy(&l->sites[l->n - 1].forms.arena, origin);
	}
	return &l->sites[*at - 1];
}

static void add_links(struct learning *l, struct site_learner *site, const struct page *p,
		      const struct url *own)
{
	struct url base = *own, u;
	cleanup(buf_release) struct buf scratch = { 0 };

	if (p->base.n > 0 && url_parse(p->base, own, &scratch, &base, NULL) != ST_OK)
		base = *own;
	for (size_t i = 0; i < p->n_links; i++)
		if ((p->links[i].kind == LINK_ANCHOR || p->links[i].kind == LINK_FRAME) &&
		    url_parse(p->links[i].url, &base, &l->url[1], &u, NULL) == ST_OK &&
		    u.path.n > 0 && str_eq(origin_of(&u), site->server))
			site_learner_add_link(site, url_path_query(&u));
}

static bool learn_page(void *arg, const struct app_page *page, const struct page *parsed)
{
	struct learning *l = arg;
	struct url own;

	if (url_parse(page->url, NULL, &l->url[0], &own, NULL) != ST_OK ||
	    own.path.n == 0)
		return true;
	bool known = !l->settings->all &&
		     app_scan_page(&l->scan, page, &l->arena).app != APP_NONE;
	arena_reset(&l->arena);
	struct site_learner *site = known ? NULL : site_of(l, origin_of(&own));
	if (!site || !site_learner_add(site, url_path_query(&own), false))
		return true;
	add_links(l, site, parsed, &own);
	for (size_t i = 0; i < parsed->n_blocks; i++) {
		const struct page_block *b = &parsed->blocks[i];

		if (b->text.n >= BLOCK_BYTES && b->linked_bytes * 3 < b->text.n)
			site_learner_add_text(site, b->text);
	}
	return true;
}

/* A redirect is a page without text that leads to one other; a duplicate has no record of
 * its own in the archive, and no text of its own. */
static void learn_answer(struct learning *l, const struct log_line *line)
{
	bool moved = line->hops.n > 0 && line->hops.p[line->hops.n - 1] == 'R';
	bool copy = str_find(line->annotations, STR("duplicate:")) != STR_NONE;
	struct url at, to;

	if ((!moved && !copy) ||
	    url_parse(moved ? line->via : line->url, NULL, &l->url[0], &at, NULL) !=
		    ST_OK ||
	    url_parse(line->url, NULL, &l->url[1], &to, NULL) != ST_OK || at.path.n == 0)
		return;
	const uint64_t *site = map_find(&l->by_server, hash64(origin_of(&at)));
	if (site && site_learner_add(&l->sites[*site - 1], url_path_query(&at), moved) &&
	    moved && str_eq(origin_of(&at), origin_of(&to)))
		site_learner_add_link(&l->sites[*site - 1], url_path_query(&to));
}

static enum status learn_answers(struct learning *l, struct str dir, struct diag *why)
{
	cleanup(arena_release) struct arena a = { 0 };
	cleanup(map_file_release) struct map_file log = { 0 };
	cleanup(buf_release) struct buf at = { 0 };
	struct str rest, one;
	struct log_line line;

	buf_add(&at, dir);
	const char *path = path_join(&a, buf_cstr(&at), STR("crawl.log"));
	if (file_exists(path))
		TRY(map_file_open(&log, path, MAP_SEQUENTIAL, why));
	rest = log.bytes;
	while (str_take_line(&rest, &one))
		if (log_line_parse(one, &line))
			learn_answer(l, &line);
	return ST_OK;
}

/* "http://wiki.example:8080" as "draft-wiki-example-8080". */
static void draft_id(struct str server, struct buf *to)
{
	size_t scheme = str_find(server, STR("://"));

	server = scheme == STR_NONE ? server : str_skip(server, scheme + 3);
	buf_add(to, STR("draft-"));
	for (size_t i = 0; i < server.n; i++)
		buf_add_char(to,
			     ascii_is_alpha(server.p[i]) || ascii_is_digit(server.p[i])
				     ? ascii_lower(server.p[i])
				     : '-');
}

static enum status write_draft(struct learning *l, struct site_learner *site,
			       struct diag *why)
{
	cleanup(arena_release) struct arena a = { 0 };
	cleanup(buf_release) struct buf xml = { 0 }, id = { 0 }, dir = { 0 },
					name = { 0 };

	site_learner_finish(site);
	draft_id(site->server, &id);
	site_draft(site, buf_str(&id), &xml);
	printf(STR_FMT ": %zu pages, %zu of them needed\n", STR_ARG(site->server),
	       site->n, site_learner_kept(site));
	buf_add(&dir, l->settings->out);
	buf_addf(&name, STR_FMT ".xml", STR_ARG(buf_str(&id)));
	TRY(dir_make(buf_cstr(&dir), why));
	return file_replace(path_join(&a, buf_cstr(&dir), buf_str(&name)), buf_str(&xml),
			    why);
}

static int write_drafts(const struct command *self, struct learning *l)
{
	struct diag why;
	size_t n = 0;

	for (size_t i = 0; i < l->n; i++) {
		if (l->sites[i].n < LEAST_PAGES)
			continue;
		if (write_draft(l, &l->sites[i], &why) != ST_OK)
			return apps_fail(self, EXIT_FAILED, why.text);
		n++;
	}
	if (n == 0)
		printf("nothing to learn: no site has %d pages without a description\n",
		       LEAST_PAGES);
	return EXIT_FINE;
}

static int run(const struct command *self, int argc, char **argv)
{
	struct learn_settings s = { 0 };
	cleanup(args_release) struct args args = { 0 };
	cleanup(learning_release) struct learning l = { .settings = &s };
	struct diag why;
	int code = args_parse(self, argc, argv, &s, &args);

	if (code == ARGS_GO && (args.n != 1 || s.out.n == 0))
		code = apps_fail(self, EXIT_USAGE,
				 "give the folder of a crawl, and -o DIR");
	if (code != ARGS_GO || (code = apps_load(self, &s.apps, &l.library)) != ARGS_GO)
		return code;
	struct str dir = args.words[0];
	app_scan_init(&l.scan, &l.library);
	code = apps_each_page(self, &s.apps, &args, learn_page, &l);
	if (code != ARGS_GO)
		return code;
	if (learn_answers(&l, dir, &why) != ST_OK)
		return apps_fail(self, EXIT_FAILED, why.text);
	return write_drafts(self, &l);
}

#define AT(field) offsetof(struct learn_settings, field)

static const struct option_row rows[] = {
	OPTION(STR, "out", AT(out), .letter = 'o', .value = "DIR",
	       .help = "where the drafts go, one per site"),
	OPTION(STR, "apps", AT(apps.dir), .value = "DIR",
	       .help = "descriptions (*.xml) besides the shipped ones"),
	OPTION(FLAG, "all", AT(all), .help = "also from pages of known applications"),
	OPTION_END,
};

static const struct example examples[] = {
	{ "thresh apps learn crawl -o drafts", "a draft per site without description" },
	{ "thresh crawl http://board.example/ --apps drafts -o again",
	  "use it on trial" },
	{ NULL, NULL },
};

const struct command cmd_apps_learn = {
	.name = "apps learn",
	.summary = "draft descriptions from a crawl of sites without one",
	.operands = "DIR",
	.about =
		"Groups pages by the form of their URLs, finds which groups have text of "
		"their own, which lead to them and which repeat what others show, and "
		"writes a description to edit. A crawl uses it on trial: what a draft "
		"leaves out is sampled, and returns if it has something new.",
	.options = rows,
	.examples = examples,
	.run = run,
};
