#include <string.h>

#include "base/buf.h"
#include "test.h"
#include "validate/validate.h"

/* "kind line:column path (detail)" a line, of all but missing doctype, language, title.
 */
static const char *faults(struct validate_input in)
{
	static struct buf out;
	cleanup(arena_release) struct arena a = { 0 };
	struct validation v;

	buf_reset(&out);
	validate_page(&in, &a, &v);
	for (size_t i = 0; i < v.n; i++) {
		const struct fault *f = &v.v[i];

		if (f->kind == FAULT_NO_DOCTYPE || f->kind == FAULT_NO_LANG ||
		    f->kind == FAULT_NO_TITLE)
			continue;
		buf_addf(&out, "%s%s %u:%u " STR_FMT, out.n ? "\n" : "",
			 fault_table[f->kind].word, f->line, f->column, STR_ARG(f->path));
		if (f->detail.n)
			buf_addf(&out, " (" STR_FMT ")", STR_ARG(f->detail));
	}
	return buf_cstr(&out);
}

static bool page(const char *html, const char *want)
{
	const char *got = faults((struct validate_input){ .html = str_from(html) });

	if (strcmp(got, want) != 0)
		printf("# %s\n# gives: %s\n", html, got);
	return strcmp(got, want) == 0;
}

static bool dom(const char *html, const char *want)
{
	const char *got =
		faults((struct validate_input){ .html = str_from(html), .is_dom = true });

	if (strcmp(got, want) != 0)
		printf("# %s\n# gives: %s\n", html, got);
	return strcmp(got, want) == 0;
}

static void what_the_standard_allows_is_no_fault(void)
{
	/* end tags that may be left out, void elements, custom ones, SVG */
	CHECK(page("<ul><li>a<li>b</ul><p>c<p>d<dl><dt>e<dd>f</dl>", ""));
	CHECK(page("<table><caption>c<col><tr><td>1<td>2<tr><th>3</table>", ""));
	CHECK(page("<table><colgroup><col><tr><td>1</table>", ""));
	CHECK(page("<select name=s title=s><option>a<option>b</select>", ""));
	CHECK(page("<br><br/><img src=x alt=''><hr/>", ""));
	CHECK(page("<my-thing><b>x</b></my-thing>", ""));
	CHECK(page("<svg><g><path d='M0'/><foo/></g></svg><math><mi>x</mi></math>", ""));
	CHECK(page("<script>if (a<b) '</p>'</script><style>p>b{}</style>", ""));
	CHECK(page("<dl><div><dt>a<dd>b</div></dl><ul><script></script></ul>", ""));
	CHECK(page("", ""));
}

static void elements_left_open_and_end_tags_without_one_are_faults(void)
{
	CHECK(page("<div>\n <span>x</div>", "unclosed 2:2 div > span (span)"));
	CHECK(page("<div><div>x</div>", "unclosed 1:1 div (div)"));
	CHECK(page("<p>a<div>b</div></p>", "stray-end 1:17  (p)"));
	CHECK(page("a</b></br>", "stray-end 1:2  (b)\nstray-end 1:6  (br)"));
	/* a cell keeps the end tags in it from closing what is outside */
	CHECK(page("<div><table><tr><td></div>x</table></div>",
		   "stray-end 1:21 div > table > tr > td (div)"));
	CHECK(page("<head><title>t</title><p>x</head>", "stray-end 1:27 p (head)"));
	CHECK(page("<title>never closed", "unclosed 1:1 title (title)"));
	CHECK(page("<p>x<img alt=", "cut 1:5 p"));
}

static void elements_that_overlap_are_one_fault(void)
{
	CHECK(page("<b><i>x</b></i>", "misnested 1:4 b > i (i)"));
	CHECK(page("<b><div>x</b></div>", "misnested 1:1 b (b)"));
	CHECK(page("<div><b>x</div></b>", "misnested 1:6 div > b (b)"));
}

static void a_slash_closes_nothing_and_attributes_count_once(void)
{
	CHECK(page("<div/><p>x</p>", "self-closing 1:1 div (div)"));
	CHECK(page("<p class=a CLASS=b>x", "attribute-twice 1:1 p.a (CLASS)"));
	CHECK(page("<p title=\"a\"b\">x", "bad-attribute 1:1 p (b\")"));
}

static void names_that_html_does_not_have(void)
{
	CHECK(page("<foo>x</foo>", "unknown-element 1:1 foo (foo)"));
	CHECK(page("<center>x</center><blink>x</blink>",
		   "obsolete-element 1:1 center (center)\n"
		   "obsolete-element 1:19 blink (blink)"));
}

static void lists_and_tables_contain_their_own(void)
{
	CHECK(page("<ul>x<div>y</div></ul>", "wrong-child 1:5 ul (text)\n"
					     "wrong-child 1:6 ul > div (div)"));
	CHECK(page("<div><li>x</li></div>", "wrong-parent 1:6 div > li (li)"));
	CHECK(page("<table><tr><form></form><td>x</table>",
		   "wrong-child 1:12 table > tr > form (form)"));
	CHECK(page("<a href=/x>x <button>y</button></a>",
		   "nested-control 1:14 a > button (button)"));
	CHECK(page("<form><form></form></form>", "nested-form 1:7 form > form"));
}

static void ids_are_unique_and_what_names_them_finds_them(void)
{
	CHECK(page("<p id=a>x<p id=b>y<p id=a>z", "duplicate-id 1:19 p#a (a)"));
	CHECK(page("<p id=''>x<p id='a b'>y", "bad-id 1:1 p\nbad-id 1:11 p#a b (a b)"));
	CHECK(page("<p id='a&amp;b'>x<p aria-controls='a&amp;b'>y", ""));
	CHECK(page("<p aria-labelledby='x y' id=x>z", "aria-target 1:1 p#x (y)"));
	/* forward too */
	CHECK(page("<label for=q>Q</label><input id=q>", ""));
	CHECK(page("<label for=r>Q</label><p id=q>x</p>", "label-target 1:1 label (r)"));
	CHECK(page("<label for=q>Q</label><p id=q>x</p>",
		   "label-no-control 1:1 label (q)"));
	CHECK(page("<input title=t list=l>", "target 1:1 input (l)"));
	/* what a template holds is no part of the document */
	CHECK(page("<template><p id=a></template><p id=a>x", ""));
}

static void controls_images_and_links_say_what_they_are(void)
{
	CHECK(page("<img src=/x.png><img src=y alt=''><img src=z role=none>",
		   "no-alt 1:1 img (/x.png)"));
	CHECK(page("<input><label>a<input></label><input aria-label=b>"
		   "<input type=hidden><input type=submit>",
		   "no-label 1:1 input"));
	CHECK(page("<form><input id=i title=t><input name=n title=t></form>",
		   "no-name 1:7 form > input#i (i)"));
	CHECK(page("<a href=/></a><a name=x></a><a href=/><img alt=y></a>"
		   "<a href=/ title=z></a><a href=/><my-icon></my-icon></a>",
		   "empty-link 1:1 a"));
	CHECK(page("<button><i class=icon></i></button><h2> </h2>",
		   "empty-button 1:1 button\nempty-heading 1:36 h2"));
	CHECK(page("<a href=/><svg><title>Home</title></svg></a>", ""));
}

static void a_page_has_a_doctype_a_language_and_a_title(void)
{
	cleanup(arena_release) struct arena a = { 0 };
	struct validation v;

	validate_page(&(struct validate_input){ .html = STR("<p>x") }, &a, &v);
	CHECK(v.n == 3 && v.times[FAULT_NO_DOCTYPE] && v.times[FAULT_NO_LANG] &&
	      v.times[FAULT_NO_TITLE]);
	validate_page(
		&(struct validate_input){
			.html = STR("\xef\xbb\xbf<!-- c --><!DOCTYPE html><html lang=en>"
				    "<title>T</title><p>x") },
		&a, &v);
	CHECK(v.n == 0);
	validate_page(
		&(struct validate_input){ .html = STR("<html lang=en><p>x</p></html>"),
					  .is_dom = true,
					  .title = STR("T") },
		&a, &v);
	CHECK(v.n == 0);
}

static void in_a_dom_nothing_is_implied_and_scopes_have_ids_of_their_own(void)
{
	CHECK(dom("<p>a<div>b</div></p>", "wrong-child 1:5 p > div (div)"));
	CHECK(dom("<p id=a>x</p><a-b><x-shadow><p id=a>y</p></x-shadow></a-b>"
		  "<x-frame><html><p id=a>z</p></html></x-frame>",
		  ""));
	CHECK(dom("<x-shadow><label for=q>x</label></x-shadow><input id=q title=t>",
		  "label-target 1:11 x-shadow > label (q)"));
	/* what does not show needs no text */
	CHECK(dom("<img src=x x-unseen><a href=/ x-unseen></a><input x-unseen>", ""));
}

static void columns_are_characters_and_places_are_in_order(void)
{
	CHECK(page("<p>\xc3\xa4\xc3\xb6</b>\n<i>x", "stray-end 1:6 p (b)\n"
						    "unclosed 2:1 p > i (i)"));
}

static void what_is_nested_too_deeply_is_told_once(void)
{
	cleanup(buf_release) struct buf b = { 0 };
	cleanup(arena_release) struct arena a = { 0 };
	struct validation v;

	for (int i = 0; i < 2000; i++)
		buf_add(&b, STR("<div>"));
	for (int i = 0; i < 2000; i++)
		buf_add(&b, STR("</div>"));
	validate_page(&(struct validate_input){ .html = buf_str(&b) }, &a, &v);
	CHECK(v.times[FAULT_TOO_DEEP] == 1 && !v.times[FAULT_STRAY_END] &&
	      !v.times[FAULT_UNCLOSED]);
}

int main(void)
{
	RUN(what_the_standard_allows_is_no_fault);
	RUN(elements_left_open_and_end_tags_without_one_are_faults);
	RUN(elements_that_overlap_are_one_fault);
	RUN(a_slash_closes_nothing_and_attributes_count_once);
	RUN(names_that_html_does_not_have);
	RUN(lists_and_tables_contain_their_own);
	RUN(ids_are_unique_and_what_names_them_finds_them);
	RUN(controls_images_and_links_say_what_they_are);
	RUN(a_page_has_a_doctype_a_language_and_a_title);
	RUN(in_a_dom_nothing_is_implied_and_scopes_have_ids_of_their_own);
	RUN(columns_are_characters_and_places_are_in_order);
	RUN(what_is_nested_too_deeply_is_told_once);
	DONE();
}
