#include "sketch/piece.h"

#include "test.h"

/* The pieces of `text`, joined by '|'. */
static bool pieces_are(const char *text, enum piece_kind kind, const char *want)
{
	cleanup(buf_release) struct buf piece = { 0 }, all = { 0 };
	struct str in = str_from(text);

	while (piece_take(&in, kind, &piece)) {
		if (all.n)
			buf_add_char(&all, '|');
		buf_add(&all, buf_str(&piece));
	}
	return str_eq(buf_str(&all), str_from(want));
}

static void words_are_folded_and_punctuation_separates(void)
{
	CHECK(pieces_are("Hello, WORLD! it's x_y 3.14", PIECE_WORDS,
			 "hello|world|it|s|x|y|3|14"));
	CHECK(pieces_are("Café CAFÉ cafe\xcc\x81", PIECE_WORDS, "cafe|cafe|cafe"));
	CHECK(pieces_are("", PIECE_WORDS, ""));
	CHECK(pieces_are(" .,!? ", PIECE_WORDS, ""));
}

static void a_text_without_spaces_is_not_one_word(void)
{
	CHECK(pieces_are("中文网页", PIECE_WORDS, "中|文|网|页"));
	CHECK(pieces_are("iPhone手机15", PIECE_WORDS, "iphone|手|机|15"));
	CHECK(pieces_are("กำลัง", PIECE_WORDS, "ก|ำ|ลั|ง"));
	CHECK(pieces_are("한국어 문서", PIECE_WORDS, "한국어|문서"));
}

static void arabic_loses_vowels_and_tatweel_only(void)
{
	CHECK(pieces_are("كِتَابٌ كتـــاب", PIECE_WORDS, "كتاب|كتاب"));
	CHECK(pieces_are("٢٠٢٦", PIECE_WORDS, "2026"));
}

static void malformed_bytes_separate(void)
{
	CHECK(pieces_are("ab\xff"
			 "cd\xc3",
			 PIECE_WORDS, "ab|cd"));
}

static void characters_sentences_and_spaced_words(void)
{
	CHECK(pieces_are("Ab, c.", PIECE_CHARS, "a|b| |c"));
	CHECK(pieces_are("One two. Three! 3.5 four\nfive", PIECE_SENTENCES,
			 "one two|three|3 5 four|five"));
	CHECK(pieces_are("今日。明日", PIECE_SENTENCES, "今 日|明 日"));
	CHECK(pieces_are("Hello friends! This", PIECE_SPACED, "Hello|friends!|This"));
}

static void the_hash_of_a_piece_never_changes(void)
{
	CHECK(piece_hash(STR("a")) != piece_hash(STR("b")));
	CHECK(piece_hash(STR("a")) != piece_hash(STR("a\0")));
	CHECK(piece_hash(STR("thresh")) == UINT64_C(0x4144f184d8e2a129));
	CHECK(piece_hash(STR("a piece that is longer than sixteen bytes")) ==
	      UINT64_C(0xa6e4aedebb938dcf));
}

int main(void)
{
	RUN(words_are_folded_and_punctuation_separates);
	RUN(a_text_without_spaces_is_not_one_word);
	RUN(arabic_loses_vowels_and_tatweel_only);
	RUN(malformed_bytes_separate);
	RUN(characters_sentences_and_spaced_words);
	RUN(the_hash_of_a_piece_never_changes);
	DONE();
}
