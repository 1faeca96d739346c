#include "corpus/text_doc.h"

#include "base/utf8.h"
#include "web/charset.h"
#include "web/http.h"

struct str text_doc_read(struct str bytes, struct str content_type, struct corpus_work *w)
{
	struct media_type m = { 0 };
	bool labelled = media_type_parse(content_type, &m) && m.charset.n;
	const struct charset *c =
		charset_detect(bytes, labelled ? m.charset : STR(""), NULL);

	if (c == charset_utf8()) {
		str_take_prefix(&bytes, STR("\xef\xbb\xbf"));
		if (utf8_valid(bytes))
			return bytes;
	}
	buf_reset(&w->text);
	charset_to_utf8(c, bytes, &w->text);
	return buf_str(&w->text);
}
