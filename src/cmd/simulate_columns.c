/* simulate_columns.c - what is put side by side: crawls of one archive. */
#include "cmd/simulate.h"
#include "cmd/warc_files.h"
#include "os/file.h"

/* Besides them: the recorded crawl, and breadth-first. */
#define SPECS_MAX (COLUMNS_MAX - 2)

enum status simulate_read_archive(struct simulate_job *r, struct args *args,
				  struct diag *why)
{
	cleanup(warc_files_release) struct warc_files files = { 0 };

	TRY(warc_files_find(&files, args, why));
	for (size_t i = 0; i < files.n; i++)
		TRY(recorded_web_add(&r->web, files.v[i], why));
	TRY(recorded_web_finish(&r->web, why));
	for (size_t i = 0; i < args->n && !r->folder; i++) {
		const char *path = path_join(&r->bytes, "", args->words[i]);

		if (file_exists(path_join(&r->bytes, path, STR("crawl.yaml"))))
			r->folder = path;
	}
	return ST_OK;
}

static enum status choose_seeds(struct simulate_job *r, struct spec_column *c,
				struct diag *why)
{
	if (r->settings->seeds.n > 0)
		spec_column_take_seeds(c, &r->settings->seeds);
	if (c->seeds.n == 0 && r->folder) {
		cleanup(spec_column_release) struct spec_column own = { 0 };

		TRY(spec_column_read(
			&own, path_join(&r->bytes, r->folder, STR("crawl.yaml")), why));
		spec_column_take_seeds(c, &own.seeds);
	}
	if (c->seeds.n == 0) {
		struct str first = simulate_seed(&r->web);

		spec_column_take_seeds(c, &(struct str_list){ &first, 1, 1 });
	}
	return ST_OK;
}

/* "anchor=0.5,host=0.2" */
static enum status set_weights(struct simulate_job *r, struct spec_column *c,
			       struct str weights, struct diag *why)
{
	cleanup(buf_release) struct buf name = { 0 };
	struct str rest = weights, one;

	while (rest.n > 0) {
		cleanup(buf_release) struct buf option = { 0 };

		str_take_until(&rest, ',', &one);
		buf_addf(&option, "focus-weight=" STR_FMT, STR_ARG(one));
		TRY(spec_column_set(c, buf_str(&option), why));
	}
	buf_addf(&name, STR_FMT, STR_ARG(weights));
	c->name = arena_copy(&r->bytes, buf_str(&name));
	return ST_OK;
}

static enum status add_column(struct simulate_job *r, const char *path, struct diag *why)
{
	struct spec_column *c = &r->columns[r->n];

	TRY(spec_column_read(c, path, why));
	r->n++;
	for (size_t i = 0; i < r->settings->sets.n; i++)
		TRY(spec_column_set(c, r->settings->sets.v[i], why));
	if (r->settings->budget > 0)
		c->settings.max_pages = r->settings->budget;
	return choose_seeds(r, c, why);
}

enum status simulate_choose_columns(struct simulate_job *r, struct diag *why)
{
	const struct str_list *specs = &r->settings->specs;

	const struct str_list *weights = &r->settings->weights;
	const char *first = specs->n > 0 ? path_join(&r->bytes, "", specs->v[0])
			    : r->folder
				    ? path_join(&r->bytes, r->folder, STR("crawl.yaml"))
				    : NULL;

	if (MAX(specs->n, 1u) + weights->n > SPECS_MAX)
		return diag_fail(why, ST_SYNTAX,
				 "%d specifications and --weights at most", SPECS_MAX);
	TRY(add_column(r, first, why));
	if (specs->n == 0)
		r->columns[0].name = r->folder ? STR("simulated") : STR("default");
	for (size_t i = 1; i < specs->n; i++)
		TRY(add_column(r, path_join(&r->bytes, "", specs->v[i]), why));
	for (size_t i = 0; i < weights->n; i++) {
		TRY(add_column(r, first, why));
		TRY(set_weights(r, &r->columns[r->n - 1], weights->v[i], why));
	}
	if (r->settings->breadth_first)
		spec_column_breadth_first(&r->columns[0], &r->columns[r->n++]);
	return ST_OK;
}

/* The crawl that made the archive is the first column. */
static enum status read_recorded(struct simulate_job *r, struct diag *why)
{
	if (!r->folder ||
	    !dir_exists(path_join(&r->bytes, r->folder, STR("state/journal"))))
		return ST_OK;
	TRY(crawl_outcome_read(&r->outcomes[0], &r->web, r->judge, r->folder, why));
	r->outcomes[r->n_outcomes++].name = STR("recorded");
	return ST_OK;
}

enum status simulate_all(struct simulate_job *r, struct diag *why)
{
	for (size_t k = 0; k < r->n && !r->judge; k++)
		TRY(relevance_open(&r->judge, &r->web, &r->columns[k].settings, why));
	TRY(read_recorded(r, why));
	for (size_t k = 0; k < r->n; k++) {
		struct simulated_spec s = { .name = r->columns[k].name,
					    .settings = &r->columns[k].settings,
					    .seeds = &r->columns[k].seeds,
					    .judge = r->judge };
		if (r->settings->keep.n > 0)
			s.keep = path_join(&r->bytes,
					   path_join(&r->bytes, "", r->settings->keep),
					   str_slice(STR("123456789"), k, k + 1));
		TRY(simulate_run(&s, &r->web, &r->outcomes[r->n_outcomes], why));
		r->n_outcomes++;
	}
	return ST_OK;
}

void simulate_job_release(struct simulate_job *r)
{
	for (size_t k = 0; k < r->n; k++)
		spec_column_release(&r->columns[k]);
	for (size_t k = 0; k < r->n_outcomes; k++)
		crawl_outcome_release(&r->outcomes[k]);
	relevance_close(r->judge);
	recorded_web_release(&r->web);
	arena_release(&r->bytes);
}
