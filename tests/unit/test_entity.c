#include "html/entity.h"

#include "test.h"

struct sample {
	struct str in, text, attribute;
};

static void references_are_decoded_as_the_standard_says(void)
{
	static const struct sample s[] = {
		{ STR("a&amp;b"), STR("a&b"), STR("a&b") },
		{ STR("&lt;&gt;&quot;"), STR("<>\""), STR("<>\"") },
		{ STR("&notit;"), STR("\u00acit;"), STR("&notit;") },
		{ STR("&notin;"), STR("\u2209"), STR("\u2209") },
		{ STR("?a=1&copy=2"), STR("?a=1\u00a9=2"), STR("?a=1&copy=2") },
		{ STR("&copy"), STR("\u00a9"), STR("\u00a9") },
		{ STR("&copy1"), STR("\u00a91"), STR("&copy1") },
		{ STR("&nGt;"), STR("\u226b\u20d2"), STR("\u226b\u20d2") },
		{ STR("&CounterClockwiseContourIntegral;"), STR("\u2233"),
		  STR("\u2233") },
		{ STR("&#65;&#x42;&#X43"), STR("ABC"), STR("ABC") },
		{ STR("&#128;&#x99;"), STR("\u20ac\u2122"), STR("\u20ac\u2122") },
		{ STR("&#0;&#xD800;&#x110000;&#99999999999;"),
		  STR("\ufffd\ufffd\ufffd\ufffd"), STR("\ufffd\ufffd\ufffd\ufffd") },
		{ STR("&#x1F600;"), STR("\U0001F600"), STR("\U0001F600") },
		{ STR("&#;&#x;&;&"), STR("&#;&#x;&;&"), STR("&#;&#x;&;&") },
		{ STR("&nosuchthing;"), STR("&nosuchthing;"), STR("&nosuchthing;") },
		{ STR("&AMP&ampx"), STR("&&x"), STR("&&ampx") },
		{ STR("plain"), STR("plain"), STR("plain") },
		{ STR(""), STR(""), STR("") },
	};
	struct arena a = { 0 };

	for (size_t i = 0; i < COUNT(s); i++) {
		CHECK(str_eq(entity_decode_all(s[i].in, ENTITY_IN_TEXT, &a), s[i].text));
		CHECK(str_eq(entity_decode_all(s[i].in, ENTITY_IN_ATTRIBUTE, &a),
			     s[i].attribute));
	}
	arena_release(&a);
}

static void nothing_is_copied_without_an_ampersand(void)
{
	struct str s = STR("no reference; none");
	struct arena a = { 0 };

	CHECK(entity_decode_all(s, ENTITY_IN_TEXT, &a).p == s.p);
	CHECK(!a.blocks);
}

int main(void)
{
	RUN(references_are_decoded_as_the_standard_says);
	RUN(nothing_is_copied_without_an_ampersand);
	DONE();
}
