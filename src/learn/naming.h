/*
 * naming.h - parts of URLs that mostly name content: languages and numbers of pages.
 *
 * A copy in another language, or another page of a list, may look like a duplicate for
 * a while (pages that nobody has translated yet, lists of one page).  A rule over such
 * a part needs more evidence than others; doubt.c says how much.  Pure.
 */
#ifndef LEARN_NAMING_H
#define LEARN_NAMING_H

#include "base/str.h"

/* "da", "pt-BR", "zh_Hans": two letters that are a language, perhaps with a region. */
bool is_language(struct str s);
/* The name of a parameter whose value is a language, or the number of a page. */
bool is_language_name(struct str s);
bool is_pager_name(struct str s);
/* The context of a rewrite chooses between languages: "(da|el)". */
bool context_has_languages(struct str context);
/* It varies or drops the number of a page: "(/comment-page-2)?", "page=(2|3)". */
bool context_has_pager(struct str context);
#endif
