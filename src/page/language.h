/*
 * language.h - in which language a page is written, by CLD2.
 *
 * Judged by the beginning of the main content, or of the text where there is
 * none; where that is mixed, by more of it.  Too little text gives no answer
 * rather than a wrong one.
 */
#ifndef PAGE_LANGUAGE_H
#define PAGE_LANGUAGE_H

#include "record/page.h"

#define LANGUAGE_SAMPLE_BYTES 512
#define LANGUAGE_MORE_BYTES   1536
#define LANGUAGE_SURE_PERCENT 99 /* of the sample in one language: no need for more */

/* Sets page.language and page.language_percent. */
void language_find(struct page *p);

/* The code ("en", "pt", "zh-Hant") of UTF-8 text; empty when unsure. */
struct str language_of(struct str text, uint8_t *ret_percent);
#endif
