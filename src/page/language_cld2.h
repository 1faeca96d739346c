/* language_cld2.h - the one function of CLD2 that we need, callable from C. */
#ifndef PAGE_LANGUAGE_CLD2_H
#define PAGE_LANGUAGE_CLD2_H

#ifdef __cplusplus
extern "C" {
#endif
/*
 * The language code of well-formed UTF-8, a string that lives for ever; NULL
 * when unsure.  `*ret_percent` is its share of the text.
 */
const char *language_cld2(const char *text, int bytes, int *ret_percent);
#ifdef __cplusplus
}
#endif
#endif
