#include "testweb/manifest.h"

#include "base/json.h"
#include "testweb/answer.h"
#include "testweb/control.h"
#include "testweb/feeds.h"
#include "testweb/link.h"
#include "testweb/prose.h"
#include "testweb/route.h"
#include "testweb/trap.h"
#include "testweb/trouble.h"
#include "testweb/way.h"

#define FLUSH_AT ((size_t)1 << 20)

struct manifest {
	const struct world *w;
	const struct manifest_options *o;
	struct buf *to;
	struct buf url, body;
	struct file *file; /* NULL: all stays in `to` */
	enum status status;
	struct diag *why;
};

static void flush(struct manifest *m, size_t at_least)
{
	if (!m->file || m->to->n < at_least || m->status != ST_OK)
		return;
	m->status = file_write(m->file, buf_str(m->to), m->why);
	buf_reset(m->to);
}

static void add_options(const struct world *w, struct buf *to)
{
	const struct world_options *o = &w->options;
	struct json_out j = { .to = to };

	buf_add(to, STR(MANIFEST_MAGIC));
	json_open(&j, '{');
	json_put_uint(&j, "format", 1);
	json_put_uint(&j, "seed", o->seed);
	json_put_uint(&j, "pages", o->pages);
	json_put_uint(&j, "hosts", o->hosts);
	json_put_uint(&j, "hosts_per_address", o->hosts_per_address);
	json_put_uint(&j, "day", o->day);
	json_put_uint(&j, "kinds", o->kinds);
	json_put_uint(&j, "traps", o->traps);
	json_put_uint(&j, "troubles", o->troubles);
	json_put_uint(&j, "ways", o->ways);
	json_put_bool(&j, "hurry", o->hurry);
	json_put_double(&j, "trouble_share", o->trouble_share);
	json_put_double(&j, "alias_share", o->alias_share);
	json_put_double(&j, "words_scale", o->words_scale);
	json_close(&j, '}');
	buf_add_char(to, '\n');
}

/* Bodies of pages with noise vary by a few bytes: this is the one for noise 0. */
static size_t body_bytes(struct manifest *m, const struct place *p)
{
	struct place goal;

	if (!m->o->bytes || p->view > VIEW_TROUBLE || truth_redirect(m->w, p, &goal))
		return 0;
	buf_reset(&m->body);
	answer_render(m->w, p, site_name(&m->w->sites[p->site]), STR("/"), &m->body);
	return m->body.n;
}

/* What the page is about, and in which language: of items, the site's else. */
static void add_subject(struct manifest *m, const struct place *p)
{
	bool item = p->view == VIEW_ITEM || p->view == VIEW_REVISION;
	struct prose text = item ? prose_of_item(m->w, p->site, p->item)
				 : prose_of_site(m->w, p->site, 0, 0);

	buf_add(m->to, str_from(topic_facts[text.topic].name));
	buf_add_char(m->to, '\t');
	buf_add(m->to, str_from(language_facts[text.language].code));
}

static void add_line(struct manifest *m, const struct place *p)
{
	struct truth t = truth_of(m->w, p);

	link_write(m->w, p, true, m->to);
	buf_add_char(m->to, '\t');
	truth_write_page(m->w, t.page, m->to);
	buf_add_char(m->to, '\t');
	buf_add(m->to, str_from(class_names[t.class]));
	buf_add_char(m->to, '\t');
	truth_write_detail(m->w, p, &t, m->to);
	buf_add_char(m->to, '\t');
	truth_write_page(m->w, t.cluster, m->to);
	buf_addf(m->to, "\t%s\t%zu\t%s\t", t.must_keep ? "keep" : "-", body_bytes(m, p),
		 t.equal ? "equal" : "-");
	add_subject(m, p);
	buf_add_char(m->to, '\n');
	flush(m, FLUSH_AT);
}

/* The families take turns, so that all of them are listed somewhere. */
static void add_aliases(struct manifest *m, const struct place *canonical)
{
	uint32_t can = link_families(m->w, canonical);
	unsigned turn = canonical->item + canonical->part;
	struct draft d;

	for (uint64_t i = 0, listed = 0; i < ALIASES && listed < m->o->aliases; i++) {
		uint32_t family = 1u << (turn + i) % ALIASES;
		struct place p = *canonical;

		if (!(can & family) || family == ALIAS_FRAGMENT)
			continue;
		p.alias = family;
		p.nonce = hash_mix(canonical->item + i);
		p.alias = link_draft(m->w, &p, &d);
		if (p.alias) {
			add_line(m, &p);
			listed++;
		}
	}
}

static void add_page(struct manifest *m, struct place p)
{
	add_line(m, &p);
	add_aliases(m, &p);
}

static void add_items(struct manifest *m, uint32_t site)
{
	const struct site *s = &m->w->sites[site];
	struct place p = { .site = site };

	for (p.item = 0; p.item < s->n_items && m->status == ST_OK; p.item++) {
		if (!item_exists(m->w, s, p.item))
			continue;
		p.view = VIEW_ITEM;
		for (p.part = 0; p.part < item_parts(s, p.item); p.part++)
			add_page(m, p);
		p.view = VIEW_REVISION;
		for (p.part = 0; p.part < site_revisions(s, p.item); p.part++)
			add_line(m, &p);
	}
}

static void add_lists(struct manifest *m, uint32_t site)
{
	const struct site *s = &m->w->sites[site];
	struct place p = { .site = site, .view = VIEW_LIST };

	for (uint32_t c = 0; c <= s->categories; c++) {
		p.item = c < s->categories ? c : LIST_ALL;
		for (p.part = 0; p.part < list_pages(s, p.item); p.part++)
			add_page(m, p);
	}
	p.view = VIEW_PROFILE;
	p.part = 0;
	for (p.item = 0; p.item < site_profiles(s); p.item++)
		add_page(m, p);
}

static void add_hidden(struct manifest *m, uint32_t site)
{
	struct place p = { .site = site };

	for (p.item = 0; p.item < WAYS * HIDDEN_EACH; p.item++) {
		if (!way_exists(m->w, site, way_of(p.item)))
			continue;
		p.view = VIEW_HIDDEN;
		add_line(m, &p);
		p.view = VIEW_DOOR;
		if (way_of(p.item) >= WAY_FIELD)
			add_line(m, &p);
	}
	p.view = VIEW_MAP;
	for (p.item = 0; way_has_maps(m->w, site) && p.item < MAP_FILES; p.item++)
		add_line(m, &p);
}

static void add_specials(struct manifest *m, uint32_t site)
{
	static const uint8_t views[] = { VIEW_FRONT,         VIEW_ABOUT, VIEW_ROBOTS,
					 VIEW_SITEMAP_INDEX, VIEW_RSS,   VIEW_ATOM };
	const struct site *s = &m->w->sites[site];
	struct place p = { .site = site };

	for (size_t i = 0; i < COUNT(views); i++) {
		p.view = views[i];
		add_page(m, p);
	}
	p.view = VIEW_SITEMAP;
	for (p.item = 0; s->flags & SITE_SITEMAP && p.item < sitemap_count(s); p.item++) {
		p.sub = (uint8_t)sitemap_form(s, p.item);
		add_line(m, &p);
	}
	for (unsigned t = 0; t < TRAPS; t++)
		if (s->traps & 1u << t) {
			p = trap_entry(m->w, site, (enum trap)t, 0);
			add_line(m, &p);
		}
	for (unsigned t = 0; t < TROUBLES; t++)
		if (m->w->options.troubles & 1u << t) {
			p = (struct place){ .site = site,
					    .view = VIEW_TROUBLE,
					    .sub = (uint8_t)t };
			add_line(m, &p);
		}
	p = (struct place){ .site = site, .view = VIEW_PRIVATE };
	for (p.item = 0; p.item < 50; p.item++)
		add_line(m, &p);
}

static void add_site(struct manifest *m, uint32_t site)
{
	buf_add(m->to, STR("#host\t"));
	buf_add(m->to, site_name(&m->w->sites[site]));
	buf_add_char(m->to, '\t');
	address_write(m->w->sites[site].address, m->to);
	buf_addf(m->to, "\t%s\t%u items\n", kind_names[m->w->sites[site].kind],
		 m->w->sites[site].n_items);
	add_specials(m, site);
	add_hidden(m, site);
	add_lists(m, site);
	add_items(m, site);
}

static void write_all(struct manifest *m)
{
	add_options(m->w, m->to);
	for (unsigned i = 0; i < TOPICS; i++)
		buf_addf(m->to, "#topic\t%s\t%s\n", topic_facts[i].name,
			 topic_facts[i].keywords);
	for (uint32_t i = 0; i < m->w->n_sites && m->status == ST_OK; i++)
		add_site(m, i);
	flush(m, 1);
	buf_release(&m->body);
}

void manifest_write(const struct world *w, const struct manifest_options *o,
		    struct buf *to)
{
	struct manifest m = { .w = w, .o = o, .to = to };

	write_all(&m);
}

enum status truth_save(const struct world *w, const struct manifest_options *o,
		       const char *path, struct diag *why)
{
	struct file f = { 0 };
	struct buf to = { 0 };
	struct manifest m = { .w = w, .o = o, .to = &to, .file = &f, .why = why };

	TRY(file_open(&f, path, FILE_CREATE, why));
	write_all(&m);
	file_close(&f);
	buf_release(&to);
	return m.status;
}

static uint64_t get_uint(const struct json *o, const char *name)
{
	double v = json_number(json_get(o, name), 0);

	return v > 0 && v < 9e15 ? (uint64_t)v : 0;
}

enum status manifest_parse_options(struct str line, struct world_options *ret,
				   struct diag *why)
{
	cleanup(json_release) struct json *o = NULL;

	if (!str_take_prefix(&line, STR(MANIFEST_MAGIC)))
		return diag_fail(why, ST_SYNTAX,
				 "this is not a manifest of 'thresh testweb'");
	TRY(json_parse(str_trim(line), &o, why));
	if (get_uint(o, "format") != 1)
		return diag_fail(why, ST_UNSUPPORTED, "a manifest of another version");
	*ret = (struct world_options){
		.seed = get_uint(o, "seed"),
		.pages = get_uint(o, "pages"),
		.hosts = get_uint(o, "hosts"),
		.hosts_per_address = get_uint(o, "hosts_per_address"),
		.day = get_uint(o, "day"),
		.kinds = (uint32_t)get_uint(o, "kinds"),
		.traps = (uint32_t)get_uint(o, "traps"),
		.troubles = (uint32_t)get_uint(o, "troubles"),
		.ways = (uint32_t)get_uint(o, "ways"),
		.hurry = json_bool(json_get(o, "hurry"), false),
		.trouble_share = json_number(json_get(o, "trouble_share"), 0),
		.alias_share = json_number(json_get(o, "alias_share"), 0),
		.words_scale = json_number(json_get(o, "words_scale"), 1),
	};
	return ST_OK;
}
