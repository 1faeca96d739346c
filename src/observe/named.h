/*
 * named.h - addresses that the files of a page name without showing a link.
 *
 * The scripts and style sheets that a page loaded, of its own site, and the fields Link,
 * Refresh and Content-Location of its own answer.  Each file is read once, out of the
 * browser, so nothing is requested for it; what a script's string means is guessed as the
 * crawl guesses it (page/jsguess.h).  A page that loads a file names what the file names.
 */
#ifndef OBSERVE_NAMED_H
#define OBSERVE_NAMED_H

#include "base/arena.h"
#include "base/map.h"
#include "base/option.h"
#include "browser/tab.h"

#define NAMED_FILES_MAX    2000                /* read in one crawl */
#define NAMED_BYTES_MAX    ((size_t)256 << 10) /* of one of them */
#define NAMED_PER_FILE_MAX 40

struct named {
	struct map files;       /* hash of the URL -> index + 1 in `lists` */
	struct str_list *lists; /* addresses of each, absolute or as the script says */
	size_t count, cap;
	struct arena memory;
};

void named_release(struct named *n);
/*
 * Addresses that the page in `t` names, absolute, without fragment, of `origin` only,
 * appended to `ret`; their bytes are in `a`.
 */
must_use enum status named_find(struct named *n, struct tab *t, struct str origin,
				struct arena *a, struct str_list *ret, struct diag *why);
/* What a file's text names: pure.  `style`: a style sheet, otherwise a script. */
void named_in_text(struct str text, bool style, struct arena *a, struct str_list *ret);
/* What the lines "Name: value" of an answer name. */
void named_in_fields(struct str fields, struct arena *a, struct str_list *ret);
#endif
