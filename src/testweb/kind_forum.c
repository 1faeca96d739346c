/* kind_forum.c - topics by number, posts with addresses of their own, members. */
#include "testweb/kind.h"

#define POSTS_A_PAGE 8u
#define FIRST_TOPIC  1000u

static void format_topic(const struct world *w, const struct place *p, struct draft *d)
{
	const struct site *s = &w->sites[p->site];

	if (p->alias & ALIAS_DYNAMIC) { /* here the friendly form is the other one */
		draft_add(d, STR("/topic/"));
		path_add_slug(d, w, p, '-', false);
		draft_add(d, STR("-t"));
		draft_add_uint(d, p->item + FIRST_TOPIC);
		draft_add(d, STR(".html"));
		return;
	}
	draft_add(d, STR("/viewtopic.php"));
	if (p->alias & ALIAS_POST) {
		draft_param_uint(d, "p", (p->item + FIRST_TOPIC) * 100ull + p->nonce % 8);
		return;
	}
	draft_param_uint(d, "f", item_category(s, p->item));
	draft_param_uint(d, "t", p->item + FIRST_TOPIC);
	if (p->part)
		draft_param_uint(d, "start", p->part * POSTS_A_PAGE);
	if (p->alias & ALIAS_PRINT)
		draft_param(d, "view", STR("print"));
}

static void format(const struct world *w, const struct place *p, struct draft *d)
{
	switch (p->view) {
	case VIEW_ITEM:
		format_topic(w, p, d);
		break;
	case VIEW_LIST:
		draft_add(d, STR("/viewforum.php"));
		draft_param_uint(d, "f", p->item);
		if (p->part)
			draft_param_uint(d, "start", p->part * LIST_LENGTH);
		break;
	case VIEW_PROFILE:
		draft_add(d, STR("/memberlist.php"));
		draft_param(d, "mode", STR("viewprofile"));
		draft_param_uint(d, "u", p->item + 2);
		break;
	default:
		draft_add(d, STR("/posting.php"));
		draft_param(d, "mode", STR("reply"));
		draft_param_uint(d, "t", p->item + FIRST_TOPIC);
	}
}

static bool take_start(struct target *t, uint32_t step, struct place *p)
{
	uint64_t start;

	if (!target_take_uint(t, "start", 1u << 28, &start))
		return true;
	p->part = (uint32_t)start / step;
	return start % step == 0;
}

static bool parse_topic(const struct world *w, struct target *t, struct place *p)
{
	uint64_t v;
	struct str text;

	p->view = VIEW_ITEM;
	if (target_take_uint(t, "p", UINT32_MAX * 100ull, &v)) {
		p->alias |= ALIAS_POST;
		p->nonce = v % 100;
		if (v / 100 < FIRST_TOPIC)
			return false;
		p->item = (uint32_t)(v / 100) - FIRST_TOPIC;
		return true;
	}
	if (!target_take_uint(t, "t", UINT32_MAX, &v) || v < FIRST_TOPIC)
		return false;
	p->item = (uint32_t)v - FIRST_TOPIC;
	if (!target_take_uint(t, "f", 10000, &v))
		p->alias |= ALIAS_OPTIONAL; /* the forum's number may be left out */
	if (w->sites[p->site].aliases & ALIAS_PRINT && target_take(t, "view", &text))
		p->alias |= ALIAS_PRINT;
	return take_start(t, POSTS_A_PAGE, p);
}

static bool parse_friendly(const struct target *t, struct place *p)
{
	struct str last = target_segment(t, 1);
	size_t dash = str_rfind_char(last, '-');
	uint32_t id;

	p->view = VIEW_ITEM;
	p->alias |= ALIAS_DYNAMIC;
	if (dash == STR_NONE ||
	    !segment_number(str_skip(last, dash + 1), "t", ".html", &id) ||
	    id < FIRST_TOPIC)
		return false;
	p->item = id - FIRST_TOPIC;
	return true;
}

static bool parse(const struct world *w, struct target *t, struct place *p)
{
	uint64_t v;
	struct str text;

	if (t->n_segments == 2 && segment_is(t, 0, "topic"))
		return parse_friendly(t, p);
	if (t->n_segments != 1)
		return false;
	if (segment_is(t, 0, "viewtopic.php"))
		return parse_topic(w, t, p);
	if (segment_is(t, 0, "viewforum.php")) {
		p->view = VIEW_LIST;
		if (!target_take_uint(t, "f", LIST_ALL, &v))
			return false;
		p->item = (uint32_t)v;
		return take_start(t, LIST_LENGTH, p);
	}
	if (segment_is(t, 0, "memberlist.php")) {
		p->view = VIEW_PROFILE;
		(void)target_take(t, "mode", &text);
		if (!target_take_uint(t, "u", UINT32_MAX, &v) || v < 2)
			return false;
		p->item = (uint32_t)v - 2;
		return true;
	}
	p->view = VIEW_ACTION;
	(void)target_take(t, "mode", &text);
	if (!segment_is(t, 0, "posting.php") ||
	    !target_take_uint(t, "t", UINT32_MAX, &v) || v < FIRST_TOPIC)
		return false;
	p->item = (uint32_t)v - FIRST_TOPIC;
	return true;
}

static void add_post(struct page *page, const struct prose *text, uint32_t author)
{
	ADD(page, "<div class=\"post\"><p class=\"author\">by ");
	ADD(page, "<a href=\"");
	page_href(page, page_place(page, VIEW_PROFILE, author, 0));
	ADD(page, "\">");
	page_add_person(page, author);
	ADD(page, "</a></p>\n<div class=\"content\">");
	prose_write(text, page->out);
	ADD(page, "</div></div>\n");
}

static void render_topic(struct page *page)
{
	uint32_t item = page->at.item, members = site_profiles(page->site);
	struct prose p = prose_of_item(page->w, page->content, item);

	ADD(page, "<h2 class=\"topic-title\">");
	page_add_title(page, item);
	ADD(page, "</h2>\n");
	for (unsigned i = 0; i < POSTS_A_PAGE; i++) {
		uint64_t nr = page->at.part * POSTS_A_PAGE + i;
		struct prose post = prose_fork(&p, nr, 0);

		post.length = 8 + (unsigned)(post.key % 70);
		add_post(page, &post, (uint32_t)(hash_mix(post.key) % members));
	}
	page_add_pager(page, item_parts(page->site, item));
	if (!page->bare)
		page_link_exact(page, page_place(page, VIEW_ACTION, item, 0),
				STR("Post reply"));
}

static void render_profile(struct page *page)
{
	uint64_t h = hash_mix(page->site->key + page->at.item);

	ADD(page, "<h2>Viewing profile</h2>\n<dl><dt>Username</dt><dd>");
	page_add_person(page, page->at.item);
	buf_addf(page->out,
		 "</dd><dt>Member</dt><dd>no. %u</dd><dt>Joined</dt><dd>20%02u-%02u</dd>"
		 "<dt>Posts</dt><dd>%u</dd></dl>\n",
		 page->at.item + 2, (unsigned)(h % 25), (unsigned)(h >> 8) % 12 + 1,
		 (unsigned)(h >> 16) % 4000);
}

static void render(struct page *page)
{
	if (page->at.view == VIEW_LIST)
		page_add_list(page, 0);
	else if (page->at.view == VIEW_PROFILE)
		render_profile(page);
	else
		render_topic(page);
}

const struct kind kind_forum = {
	.generator = "phpBB",
	.aliases = ALIAS_SESSION | ALIAS_TRACKING | ALIAS_ORDER | ALIAS_OPTIONAL |
		   ALIAS_PRINT | ALIAS_MOBILE | ALIAS_DYNAMIC | ALIAS_FOLDER |
		   ALIAS_POST | ALIAS_MARK | ALIAS_FRAGMENT | ALIAS_INDEX,
	.words = 250,
	.format = format,
	.parse = parse,
	.render = render,
};
