#include "web/mime.h"

#include "web/http.h"

/* A pattern at the front; bytes whose mask is 0 may be anything. */
struct signature {
	struct str pattern;
	struct str mask; /* empty: every byte counts */
	const char *type;
};

#define PLAIN(bytes, type)                                    \
	{                                                     \
		{ bytes, sizeof(bytes) - 1 }, { "", 0 }, type \
	}
#define MASKED(bytes, mask, type)                                              \
	{                                                                      \
		{ bytes, sizeof(bytes) - 1 }, { mask, sizeof(mask) - 1 }, type \
	}

static const struct signature images[] = {
	PLAIN("\0\0\1\0", "image/x-icon"),
	PLAIN("\0\0\2\0", "image/x-icon"),
	PLAIN("BM", "image/bmp"),
	PLAIN("GIF87a", "image/gif"),
	PLAIN("GIF89a", "image/gif"),
	MASKED("RIFF\0\0\0\0WEBPVP", "\xff\xff\xff\xff\0\0\0\0\xff\xff\xff\xff\xff\xff",
	       "image/webp"),
	PLAIN("\x89PNG\r\n\x1a\n", "image/png"),
	PLAIN("\xff\xd8\xff", "image/jpeg"),
};

static const struct signature media[] = {
	MASKED("FORM\0\0\0\0AIFF", "\xff\xff\xff\xff\0\0\0\0\xff\xff\xff\xff",
	       "audio/aiff"),
	PLAIN("ID3", "audio/mpeg"),
	PLAIN("OggS\0", "application/ogg"),
	PLAIN("MThd\0\0\0\6", "audio/midi"),
	MASKED("RIFF\0\0\0\0AVI ", "\xff\xff\xff\xff\0\0\0\0\xff\xff\xff\xff",
	       "video/avi"),
	MASKED("RIFF\0\0\0\0WAVE", "\xff\xff\xff\xff\0\0\0\0\xff\xff\xff\xff",
	       "audio/wave"),
};

static const struct signature fonts[] = {
	PLAIN("\0\1\0\0", "font/ttf"),    PLAIN("OTTO", "font/otf"),
	PLAIN("ttcf", "font/collection"), PLAIN("wOFF", "font/woff"),
	PLAIN("wOF2", "font/woff2"),
};

static const struct signature archives[] = {
	PLAIN("\x1f\x8b\x08", "application/x-gzip"),
	PLAIN("PK\3\4", "application/zip"),
	PLAIN("Rar \x1a\7\0", "application/x-rar-compressed"),
};

static const struct signature documents[] = {
	PLAIN("%PDF-", "application/pdf"),
	PLAIN("%!PS-Adobe-", "application/postscript"),
};

static const struct signature marks[] = {
	PLAIN("\xfe\xff", "text/plain"),
	PLAIN("\xff\xfe", "text/plain"),
	PLAIN("\xef\xbb\xbf", "text/plain"),
};

/* Tags that make a body HTML, if a space or '>' follows. */
static const char *const html_starts[] = { "<!DOCTYPE HTML",
					   "<HTML",
					   "<HEAD",
					   "<SCRIPT",
					   "<IFRAME",
					   "<H1",
					   "<DIV",
					   "<FONT",
					   "<TABLE",
					   "<A",
					   "<STYLE",
					   "<TITLE",
					   "<B",
					   "<BODY",
					   "<BR",
					   "<P",
					   "<!--" };

static bool signature_matches(const struct signature *s, struct str body)
{
	if (body.n < s->pattern.n)
		return false;
	for (size_t i = 0; i < s->pattern.n; i++)
		if (body.p[i] != s->pattern.p[i] && (s->mask.n == 0 || s->mask.p[i]))
			return false;
	return true;
}

static struct str find_signature(const struct signature *s, size_t n, struct str body)
{
	for (size_t i = 0; i < n; i++)
		if (signature_matches(&s[i], body))
			return str_from(s[i].type);
	return (struct str){ NULL, 0 };
}

#define FIND(table, body) find_signature(table, COUNT(table), body)

/* An ISO base media file: a box "ftyp" with a brand that begins with "mp4". */
static bool is_mp4(struct str body)
{
	uint32_t size = 0;

	if (body.n < 12 || !str_eq(str_slice(body, 4, 8), STR("ftyp")))
		return false;
	for (size_t i = 0; i < 4; i++)
		size = size << 8 | (uint8_t)body.p[i];
	if (size % 4 || body.n < size)
		return false;
	if (str_eq(str_slice(body, 8, 11), STR("mp4")))
		return true;
	for (size_t at = 16; at + 4 <= size; at += 4)
		if (str_eq(str_slice(body, at, at + 3), STR("mp4")))
			return true;
	return false;
}

/* Matroska's EBML head with the document type "webm". */
static bool is_webm(struct str body)
{
	if (!str_starts(body, STR("\x1a\x45\xdf\xa3")))
		return false;
	struct str head = str_slice(body, 4, 64);
	size_t at = str_find(head, STR("\x42\x82"));

	return at != STR_NONE &&
	       str_find(str_slice(head, at, at + 12), STR("webm")) != STR_NONE;
}

/* The head of an MPEG audio frame without ID3, and a second one where it must be. */
static bool is_mp3(struct str body)
{
	static const unsigned rates[] = { 0,   32,  40,  48,  56,  64,  80, 96,
					  112, 128, 160, 192, 224, 256, 320 };
	static const unsigned samples[] = { 44100, 48000, 32000 };

	if (body.n < 4 || (uint8_t)body.p[0] != 0xff ||
	    ((uint8_t)body.p[1] & 0xfe) != 0xfa)
		return false;
	unsigned rate = (uint8_t)body.p[2] >> 4, sample = ((uint8_t)body.p[2] >> 2) & 3;

	if (rate == 0 || rate == 15 || sample == 3)
		return false;
	size_t length = (size_t)144 * rates[rate] * 1000 / samples[sample] +
			(((uint8_t)body.p[2] >> 1) & 1);

	return body.n > length + 1 && (uint8_t)body.p[length] == 0xff &&
	       ((uint8_t)body.p[length + 1] & 0xfe) == 0xfa;
}

static struct str find_media(struct str body)
{
	struct str type = FIND(media, body);

	if (type.p)
		return type;
	if (is_mp4(body))
		return STR("video/mp4");
	if (is_webm(body))
		return STR("video/webm");
	return is_mp3(body) ? STR("audio/mpeg") : type;
}

static bool is_sniff_space(char c)
{
	return c == '\t' || c == '\n' || c == '\f' || c == '\r' || c == ' ';
}

static struct str skip_space(struct str body)
{
	while (body.n && is_sniff_space(body.p[0]))
		body = str_skip(body, 1);
	return body;
}

static bool starts_as_html(struct str body)
{
	body = skip_space(body);
	for (size_t i = 0; i < COUNT(html_starts); i++) {
		struct str start = str_from(html_starts[i]);

		if (!str_starts_nocase(body, start))
			continue;
		if (str_eq(start, STR("<!--")))
			return true;
		if (body.n > start.n &&
		    (body.p[start.n] == ' ' || body.p[start.n] == '>'))
			return true;
	}
	return false;
}

/* A byte that no text has: the standard's binary data bytes. */
static bool has_binary(struct str body)
{
	for (size_t i = 0; i < body.n; i++) {
		uint8_t c = (uint8_t)body.p[i];

		if (c <= 0x08 || c == 0x0b || (c >= 0x0e && c <= 0x1a) ||
		    (c >= 0x1c && c <= 0x1f))
			return true;
	}
	return false;
}

static struct str text_or_binary(struct str body)
{
	if (FIND(marks, body).p || !has_binary(body))
		return STR("text/plain");
	return STR("application/octet-stream");
}

/* Nobody said what it is. */
static struct str identify(struct str body)
{
	struct str type;

	if (starts_as_html(body))
		return STR("text/html");
	if (str_starts(skip_space(body), STR("<?xml")))
		return STR("text/xml");
	if ((type = FIND(documents, body)).p || (type = FIND(marks, body)).p ||
	    (type = FIND(images, body)).p || (type = find_media(body)).p ||
	    (type = FIND(archives, body)).p)
		return type;
	/* Not in the standard's list for this case, but of use to a crawler. */
	if ((type = FIND(fonts, body)).p && has_binary(body))
		return type;
	return text_or_binary(body);
}

static void skip_past(struct str *in, struct str end)
{
	size_t at = str_find(*in, end);

	*in = str_skip(*in, at == STR_NONE ? in->n : at + end.n);
}

/* What is sent as HTML may be a feed: the first element decides. */
static struct str feed_or_html(struct str body)
{
	str_take_prefix(&body, STR("\xef\xbb\xbf"));
	for (;;) {
		body = skip_space(body);
		if (!str_take_char(&body, '<'))
			return STR("text/html");
		if (str_take_prefix(&body, STR("!--")))
			skip_past(&body, STR("-->"));
		else if (str_take_prefix(&body, STR("!")))
			skip_past(&body, STR(">"));
		else if (str_take_prefix(&body, STR("?")))
			skip_past(&body, STR("?>"));
		else
			break;
	}
	if (str_starts(body, STR("rss")))
		return STR("application/rss+xml");
	if (str_starts(body, STR("feed")))
		return STR("application/atom+xml");
	if (str_starts(body, STR("rdf:RDF")) &&
	    str_find(body, STR("http://purl.org/rss/1.0/")) != STR_NONE &&
	    str_find(body, STR("http://www.w3.org/1999/02/22-rdf-syntax-ns#")) !=
		    STR_NONE)
		return STR("application/rss+xml");
	return STR("text/html");
}

/* The values that old Apaches send for everything they do not know. */
static bool is_apache_default(struct str declared)
{
	return str_eq(declared, STR("text/plain")) ||
	       str_eq(declared, STR("text/plain; charset=ISO-8859-1")) ||
	       str_eq(declared, STR("text/plain; charset=iso-8859-1")) ||
	       str_eq(declared, STR("text/plain; charset=UTF-8"));
}

static bool is_unknown(struct str essence)
{
	return str_eq_nocase(essence, STR("unknown/unknown")) ||
	       str_eq_nocase(essence, STR("application/unknown")) ||
	       str_eq(essence, STR("*/*"));
}

struct str mime_sniff(struct str declared, bool no_sniff, struct str body)
{
	struct media_type m;
	struct str found = { NULL, 0 };

	body = str_slice(body, 0, MIME_SNIFF_BYTES);
	if (!media_type_parse(declared, &m))
		return no_sniff ? text_or_binary(body) : identify(body);
	if (no_sniff)
		return m.essence;
	if (is_unknown(m.essence))
		return identify(body);
	if (is_apache_default(declared))
		return text_or_binary(body);

	enum mime_kind kind = mime_kind(m.essence);

	if (str_eq_nocase(m.essence, STR("text/html")))
		return feed_or_html(body);
	if (kind == MIME_XML || kind == MIME_FEED || kind == MIME_HTML)
		return m.essence;
	if (kind == MIME_IMAGE)
		found = FIND(images, body);
	else if (kind == MIME_AUDIO || kind == MIME_VIDEO)
		found = find_media(body);
	return found.p ? found : m.essence;
}

static const struct {
	const char *essence; /* a '*' at the end: whatever follows */
	enum mime_kind kind;
} kinds[] = {
	{ "text/html", MIME_HTML },
	{ "application/xhtml+xml", MIME_HTML },
	{ "application/vnd.wap.xhtml+xml", MIME_HTML },
	{ "application/rss+xml", MIME_FEED },
	{ "application/atom+xml", MIME_FEED },
	{ "application/rdf+xml", MIME_FEED },
	{ "application/feed+json", MIME_FEED },
	{ "text/xml", MIME_XML },
	{ "application/xml", MIME_XML },
	{ "application/json", MIME_JSON },
	{ "text/json", MIME_JSON },
	{ "application/ld+json", MIME_JSON },
	{ "application/manifest+json", MIME_JSON },
	{ "text/css", MIME_STYLE },
	{ "text/javascript*", MIME_SCRIPT },
	{ "application/javascript", MIME_SCRIPT },
	{ "application/x-javascript", MIME_SCRIPT },
	{ "application/ecmascript", MIME_SCRIPT },
	{ "text/ecmascript", MIME_SCRIPT },
	{ "image/*", MIME_IMAGE },
	{ "audio/*", MIME_AUDIO },
	{ "video/*", MIME_VIDEO },
	{ "application/ogg", MIME_VIDEO },
	{ "application/vnd.apple.mpegurl", MIME_VIDEO },
	{ "font/*", MIME_FONT },
	{ "application/font-*", MIME_FONT },
	{ "application/x-font-*", MIME_FONT },
	{ "application/vnd.ms-fontobject", MIME_FONT },
	{ "application/pdf", MIME_PDF },
	{ "application/x-pdf", MIME_PDF },
	{ "application/zip", MIME_ARCHIVE },
	{ "application/gzip", MIME_ARCHIVE },
	{ "application/x-gzip", MIME_ARCHIVE },
	{ "application/x-tar", MIME_ARCHIVE },
	{ "application/x-bzip2", MIME_ARCHIVE },
	{ "application/x-xz", MIME_ARCHIVE },
	{ "application/x-7z-compressed", MIME_ARCHIVE },
	{ "application/x-rar-compressed", MIME_ARCHIVE },
	{ "application/vnd.rar", MIME_ARCHIVE },
	{ "application/zstd", MIME_ARCHIVE },
	{ "application/java-archive", MIME_ARCHIVE },
	{ "application/msword", MIME_DOCUMENT },
	{ "application/rtf", MIME_DOCUMENT },
	{ "text/rtf", MIME_DOCUMENT },
	{ "application/postscript", MIME_DOCUMENT },
	{ "application/epub+zip", MIME_DOCUMENT },
	{ "application/vnd.ms-*", MIME_DOCUMENT },
	{ "application/vnd.openxmlformats-officedocument.*", MIME_DOCUMENT },
	{ "application/vnd.oasis.opendocument.*", MIME_DOCUMENT },
	{ "text/*", MIME_TEXT },
};

enum mime_kind mime_kind(struct str essence)
{
	for (size_t i = 0; i < COUNT(kinds); i++) {
		struct str e = str_from(kinds[i].essence);

		if (e.p[e.n - 1] == '*'
			    ? str_starts_nocase(essence, str_slice(e, 0, e.n - 1))
			    : str_eq_nocase(essence, e)) {
			/* "image/svg+xml" is an image to a crawler all the same. */
			return kinds[i].kind;
		}
	}
	if (essence.n > 4 && str_eq_nocase(str_skip(essence, essence.n - 4), STR("+xml")))
		return MIME_XML;
	if (essence.n > 5 &&
	    str_eq_nocase(str_skip(essence, essence.n - 5), STR("+json")))
		return MIME_JSON;
	return MIME_OTHER;
}
