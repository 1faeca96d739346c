#include "sketch/piece.h"

#include "base/unicode.h"
#include "base/utf8.h"

uint64_t piece_hash_long(const char *p, size_t n)
{
	uint64_t h = 0, w[2];
	size_t left = n;

	for (; left > 16; p += 16, left -= 16) {
		memcpy(w, p, 16);
		h = piece_mum(w[0] ^ PIECE_K0 ^ h, w[1] ^ PIECE_K1);
	}
	w[0] = w[1] = 0;
	memcpy(w, p, left);
	return piece_hash_last(h, w[0], w[1], n);
}

/* The code point at the front of `in`, without consuming it. */
static uint32_t peek(struct str in, size_t *ret_bytes)
{
	struct str s = in;
	uint32_t cp = utf8_take(&s);

	*ret_bytes = in.n - s.n;
	return cp;
}

static void add_folded(struct buf *to, uint32_t cp)
{
	cp = unicode_fold(cp);
	if (cp < 0x80)
		buf_add_char(to, (char)cp);
	else
		buf_add_utf8(to, cp);
}

/* Marks and ignorable signs after a letter: the marks are kept, the others dropped. */
static void take_marks(struct str *in, struct buf *to)
{
	size_t n;

	while (in->n && (unsigned char)*in->p >= 0x80) {
		uint32_t cp = peek(*in, &n);
		enum unicode_class class = unicode_class(cp);

		if (class != UNICODE_MARK && class != UNICODE_IGNORED)
			return;
		if (class == UNICODE_MARK)
			buf_add_utf8(to, cp);
		*in = str_skip(*in, n);
	}
}

/* Skip to the first letter; false at the end of the text. */
static bool skip_separators(struct str *in, uint32_t *ret_cp,
			    enum unicode_class *ret_class)
{
	while (in->n) {
		uint32_t cp = utf8_take(in);
		enum unicode_class class = unicode_class(cp);

		if (class == UNICODE_WORD || class == UNICODE_ALONE) {
			*ret_cp = cp;
			*ret_class = class;
			return true;
		}
	}
	return false;
}

/* Letters and digits of ASCII in lower case; 0 for all else. */
static const char plain_word[256] = {
	['0'] = '0', ['1'] = '1', ['2'] = '2', ['3'] = '3', ['4'] = '4', ['5'] = '5',
	['6'] = '6', ['7'] = '7', ['8'] = '8', ['9'] = '9', ['A'] = 'a', ['B'] = 'b',
	['C'] = 'c', ['D'] = 'd', ['E'] = 'e', ['F'] = 'f', ['G'] = 'g', ['H'] = 'h',
	['I'] = 'i', ['J'] = 'j', ['K'] = 'k', ['L'] = 'l', ['M'] = 'm', ['N'] = 'n',
	['O'] = 'o', ['P'] = 'p', ['Q'] = 'q', ['R'] = 'r', ['S'] = 's', ['T'] = 't',
	['U'] = 'u', ['V'] = 'v', ['W'] = 'w', ['X'] = 'x', ['Y'] = 'y', ['Z'] = 'z',
	['a'] = 'a', ['b'] = 'b', ['c'] = 'c', ['d'] = 'd', ['e'] = 'e', ['f'] = 'f',
	['g'] = 'g', ['h'] = 'h', ['i'] = 'i', ['j'] = 'j', ['k'] = 'k', ['l'] = 'l',
	['m'] = 'm', ['n'] = 'n', ['o'] = 'o', ['p'] = 'p', ['q'] = 'q', ['r'] = 'r',
	['s'] = 's', ['t'] = 't', ['u'] = 'u', ['v'] = 'v', ['w'] = 'w', ['x'] = 'x',
	['y'] = 'y', ['z'] = 'z',
};

size_t piece_take_plain(struct str *in, char ret[PIECE_PLAIN], uint64_t *ret_hash)
{
	const unsigned char *p = (const unsigned char *)in->p, *end = p + in->n;
	uint64_t w[2] = { 0, 0 };
	size_t n = 0;

	while (p < end && *p < 0x80 && !plain_word[*p])
		p++;
	for (; p < end && n < PIECE_PLAIN && plain_word[*p]; p++, n++) {
		uint64_t letter = (unsigned char)plain_word[*p];

		ret[n] = (char)letter;
		/* Put together here: bytes that were just written load slowly. */
		if (n < 8)
			w[0] |= letter << 8 * n;
		else if (n < 16)
			w[1] |= letter << 8 * (n - 8);
	}
	if (n == 0 || n == PIECE_PLAIN || (p < end && *p >= 0x80))
		return 0;
	*ret_hash = n <= 16 ? piece_hash_last(0, w[0], w[1], n) : piece_hash_long(ret, n);
	*in = str_skip(*in, (size_t)((const char *)p - in->p));
	return n;
}

static bool take_word(struct str *in, struct buf *to)
{
	enum unicode_class class;
	uint32_t cp;
	size_t n;

	char plain[PIECE_PLAIN];
	uint64_t unused;
	size_t letters = piece_take_plain(in, plain, &unused);

	if (letters) {
		buf_add(to, (struct str){ plain, letters });
		return true;
	}
	if (!skip_separators(in, &cp, &class))
		return false;
	add_folded(to, cp);
	take_marks(in, to);
	if (class == UNICODE_ALONE)
		return true;
	while (in->n) {
		cp = peek(*in, &n);
		if (unicode_class(cp) != UNICODE_WORD)
			break;
		*in = str_skip(*in, n);
		add_folded(to, cp);
		take_marks(in, to);
	}
	return true;
}

/* A run of separators counts as one space, at the ends as none. */
static bool take_char(struct str *in, struct buf *to)
{
	bool gap = false;
	size_t n;

	while (in->n) {
		uint32_t cp = peek(*in, &n);
		enum unicode_class class = unicode_class(cp);

		if (class == UNICODE_WORD || class == UNICODE_ALONE) {
			if (gap) {
				buf_add_char(to, ' ');
				return true;
			}
			*in = str_skip(*in, n);
			add_folded(to, cp);
			take_marks(in, to);
			return true;
		}
		gap |= class == UNICODE_SEPARATOR;
		*in = str_skip(*in, n);
	}
	return false;
}

static bool ends_sentence(uint32_t cp)
{
	return cp == '.' || cp == '!' || cp == '?' || cp == '\n' || cp == 0x3002 ||
	       cp == 0xff01 || cp == 0xff1f || cp == 0x061f || cp == 0x06d4 ||
	       cp == 0x0964;
}

/* Up to a full stop that is followed by a space, or to what needs none after it. */
static struct str sentence_end(struct str *in)
{
	struct str s = *in, whole = *in;

	while (s.n) {
		uint32_t cp = utf8_take(&s);

		if (ends_sentence(cp) &&
		    (cp == '\n' || cp >= 0x80 || s.n == 0 || ascii_is_space(*s.p)))
			break;
	}
	*in = s;
	return str_slice(whole, 0, whole.n - s.n);
}

static bool take_sentence(struct str *in, struct buf *to)
{
	while (in->n && to->n == 0) {
		struct str sentence = sentence_end(in);

		while (sentence.n) {
			size_t before = to->n;

			if (before)
				buf_add_char(to, ' ');
			if (!take_word(&sentence, to))
				to->n = before;
		}
	}
	return to->n > 0;
}

static bool take_spaced(struct str *in, struct buf *to)
{
	size_t n = 0;

	while (in->n && ascii_is_space(*in->p))
		*in = str_skip(*in, 1);
	while (n < in->n && !ascii_is_space(in->p[n]))
		n++;
	buf_add(to, str_slice(*in, 0, n));
	*in = str_skip(*in, n);
	return n > 0;
}

bool piece_take(struct str *in, enum piece_kind kind, struct buf *ret_text)
{
	buf_reset(ret_text);
	switch (kind) {
	case PIECE_CHARS:
		return take_char(in, ret_text);
	case PIECE_WORDS:
		return take_word(in, ret_text);
	case PIECE_SENTENCES:
		return take_sentence(in, ret_text);
	case PIECE_SPACED:
		return take_spaced(in, ret_text);
	}
	return false;
}
