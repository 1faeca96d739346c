#include "render/brought.h"
#include "test.h"

static void the_same_words_bring_nothing_however_they_are_set(void)
{
	CHECK(text_brought(STR("a bird in the hand"), STR("a bird\nin the\n\nhand ")) ==
	      0);
	CHECK(text_brought(STR(""), STR("")) == 0);
	CHECK(text_brought(STR("one"), STR("one")) == 0);
	CHECK(text_brought(STR("one two three four"), STR("")) == 0);
}

static void words_that_were_not_there_count(void)
{
	CHECK(text_brought(STR(""), STR("a bird in")) == 7);
	CHECK(text_brought(STR("menu home about"),
			   STR("menu home about new words here now")) == 15);
	/* In the middle of what was there: the words beside it keep a row of their own.
	 */
	CHECK(text_brought(STR("a b c d e f"), STR("a b c XXXX d e f")) == 4);
	CHECK(text_brought(STR("a b c"), STR("c b a")) == 3);
}

int main(void)
{
	RUN(the_same_words_bring_nothing_however_they_are_set);
	RUN(words_that_were_not_there_count);
	DONE();
}
