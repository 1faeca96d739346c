#include "base/unicode.h"

#include "test.h"

static void ascii_letters_and_digits_are_words(void)
{
	for (uint32_t c = 0; c < 128; c++) {
		bool alnum = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
			     (c >= 'A' && c <= 'Z');

		CHECK(unicode_class(c) == (alnum ? UNICODE_WORD : UNICODE_SEPARATOR));
		CHECK(unicode_fold(c) == (c >= 'A' && c <= 'Z' ? c + 32 : c));
	}
}

static void case_accent_width_and_digits_fold(void)
{
	CHECK(unicode_fold(0xc9) == 'e');     /* É */
	CHECK(unicode_fold(0x0416) == 0x436); /* Ж */
	CHECK(unicode_fold(0x03a3) == 0x3c3); /* Σ */
	CHECK(unicode_fold(0xff21) == 'a');   /* full-width A */
	CHECK(unicode_fold(0x0663) == '3');   /* Arabic-Indic three */
	CHECK(unicode_fold(0x4e2d) == 0x4e2d);
}

static void scripts_without_spaces_stand_alone(void)
{
	CHECK(unicode_class(0x4e2d) == UNICODE_ALONE);     /* Han */
	CHECK(unicode_class(0x3042) == UNICODE_ALONE);     /* Hiragana */
	CHECK(unicode_class(0x0e01) == UNICODE_ALONE);     /* Thai */
	CHECK(unicode_class(0xac00) == UNICODE_WORD);      /* Hangul */
	CHECK(unicode_class(0x0628) == UNICODE_WORD);      /* Arabic */
	CHECK(unicode_class(0x064e) == UNICODE_IGNORED);   /* fatha */
	CHECK(unicode_class(0x0e34) == UNICODE_MARK);      /* Thai vowel sign */
	CHECK(unicode_class(0x3002) == UNICODE_SEPARATOR); /* ideographic full stop */
	CHECK(unicode_class(0x110000) == UNICODE_SEPARATOR);
}

static void folding_twice_is_folding_once(void)
{
	for (uint32_t c = 0; c < 0x110000; c++)
		CHECK(unicode_fold(unicode_fold(c)) == unicode_fold(c));
}

int main(void)
{
	RUN(ascii_letters_and_digits_are_words);
	RUN(case_accent_width_and_digits_fold);
	RUN(scripts_without_spaces_stand_alone);
	RUN(folding_twice_is_folding_once);
	DONE();
}
