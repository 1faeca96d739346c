#include "learn/naming.h"

#include <stdlib.h>

/* ISO 639-1, without those that URLs have for other things (id, no, so, is, to, os). */
static const char languages[] = "aaabaeafakamanarasavayazbabebgbhbibmbnbobrbscacechcocrcs"
				"cucvcydadedvdzeeeleneoeseteu"
				"fafffifjfofrfygaglgngugvhahehihohrhthuhyhziaieigiiikioit"
				"iujajvkakgkikjkkklkmknkokrkskukv"
				"kwkylalblglilnloltlulvmgmhmimkmlmnmrmsmtmynandnengnlnnnr"
				"nvnyocojomorpapiplpsptqurmrnro"
				"rurwsascsdsesgsiskslsmsnsqsrssstsusvswtatetgthtitktltntr"
				"tstttwtyugukuruzvevivowawoxhyiyo"
				"zazhzu";

static const char *const language_names[] = { "hl",        "lang",   "langue", "language",
					      "languages", "lng",    "loc",    "locale",
					      "setlang",   "uselang" };
static const char *const pager_names[] = { "cpage",   "from",  "offset", "p",  "page",
					   "page_id", "paged", "pageno", "pg", "seite",
					   "skip",    "start", "startat" };

static int cmp_name(const void *name, const void *with)
{
	return str_cmp(*(const struct str *)name, str_from(*(const char *const *)with));
}

bool is_language_name(struct str s)
{
	return bsearch(&s, language_names, COUNT(language_names), sizeof(char *),
		       cmp_name);
}

bool is_pager_name(struct str s)
{
	return bsearch(&s, pager_names, COUNT(pager_names), sizeof(char *), cmp_name);
}

bool is_language(struct str s)
{
	if (s.n < 2 || s.n > 8 || (s.n > 2 && s.p[2] != '-' && s.p[2] != '_'))
		return false;
	for (size_t i = 0; i + 1 < sizeof(languages); i += 2)
		if (ascii_lower(s.p[0]) == languages[i] &&
		    ascii_lower(s.p[1]) == languages[i + 1])
			return true;
	return false;
}

/* The next group "(...)" of a context, and what stands before it. */
static bool take_group(struct str *rest, struct str *ret_before, struct str *ret_group)
{
	size_t open = str_find_char(*rest, '(');
	struct str after = open == STR_NONE ? STR("") : str_skip(*rest, open + 1);
	size_t close = str_find_char(after, ')');

	if (open == STR_NONE || close == STR_NONE)
		return false;
	*ret_before = str_slice(*rest, 0, open);
	*ret_group = str_slice(after, 0, close);
	*rest = str_skip(after, close + 1);
	return true;
}

static bool are_languages(struct str group)
{
	struct str one;
	size_t n = 0;

	for (; str_take_until(&group, '|', &one); n++)
		if (!is_language(one))
			return false;
	return n > 1;
}

bool context_has_languages(struct str context)
{
	struct str before, group;

	while (take_group(&context, &before, &group))
		if (are_languages(group))
			return true;
	return false;
}

/* "...page=", "...start=", ".../page/", and the parentheses open. */
static bool ends_in_pager(struct str s)
{
	size_t n = s.n;

	if (n == 0 || (s.p[n - 1] != '=' && s.p[n - 1] != '/' && s.p[n - 1] != '-'))
		return false;
	size_t end = --n;
	while (n > 0 && (ascii_is_alpha(s.p[n - 1]) || s.p[n - 1] == '_'))
		n--;
	return is_pager_name(str_slice(s, n, end));
}

bool context_has_pager(struct str context)
{
	struct str before, group;

	while (take_group(&context, &before, &group))
		if (str_find(group, STR("page")) != STR_NONE || ends_in_pager(before) ||
		    ends_in_pager(group))
			return true;
	return false;
}
