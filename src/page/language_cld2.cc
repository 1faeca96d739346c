#include "page/language_cld2.h"

#include <cstdio> // CLD2's header uses FILE and does not say so

#include <cld2/public/compact_lang_det.h>
#include <cld2/public/encodings.h>

const char *language_cld2(const char *text, int bytes, int *ret_percent)
{
	CLD2::CLDHints hints = { nullptr, nullptr, CLD2::UNKNOWN_ENCODING,
				 CLD2::UNKNOWN_LANGUAGE };
	CLD2::Language languages[3];
	int percents[3], text_bytes;
	double scores[3];
	bool is_reliable;

	CLD2::ExtDetectLanguageSummary(text, bytes, true, &hints, 0, languages, percents,
				       scores, nullptr, &text_bytes, &is_reliable);
	if (!is_reliable || languages[0] == CLD2::UNKNOWN_LANGUAGE)
		return nullptr;
	*ret_percent = percents[0];
	return CLD2::LanguageCode(languages[0]);
}
