/*
 * The encodings of the Encoding standard, their labels, and what glibc calls the
 * same thing.  GBK is read as GB18030, Shift_JIS and EUC-KR with Microsoft's
 * additions, because that is what pages hold.
 */
#include "web/charset_internal.h"

const struct charset charsets[] = {
	{ "UTF-8", NULL, CHARSET_UTF8,
	  "unicode-1-1-utf-8 unicode11utf8 unicode20utf8 utf-8 utf8 "
	  "x-unicode20utf8" },
	{ "windows-1252", "WINDOWS-1252", CHARSET_SINGLE,
	  "ansi_x3.4-1968 ascii cp1252 cp819 csisolatin1 ibm819 "
	  "iso-8859-1 iso-ir-100 iso8859-1 iso88591 iso_8859-1 "
	  "iso_8859-1:1987 l1 latin1 us-ascii windows-1252 x-cp1252" },
	{ "Big5", "BIG5-HKSCS", CHARSET_MULTI,
	  "big5 big5-hkscs cn-big5 csbig5 x-x-big5" },
	{ "EUC-JP", "EUC-JP-MS", CHARSET_MULTI, "cseucpkdfmtjapanese euc-jp x-euc-jp" },
	{ "EUC-KR", "UHC", CHARSET_MULTI,
	  "cseuckr csksc56011987 euc-kr iso-ir-149 korean "
	  "ks_c_5601-1987 ks_c_5601-1989 ksc5601 ksc_5601 windows-949" },
	{ "gb18030", "GB18030", CHARSET_MULTI, "gb18030" },
	{ "GBK", "GB18030", CHARSET_MULTI,
	  "chinese csgb2312 csiso58gb231280 gb2312 gb_2312 gb_2312-80 "
	  "gbk iso-ir-58 x-gbk" },
	{ "IBM866", "IBM866", CHARSET_SINGLE, "866 cp866 csibm866 ibm866" },
	{ "ISO-2022-JP", "ISO-2022-JP", CHARSET_STATEFUL, "csiso2022jp iso-2022-jp" },
	{ "ISO-8859-10", "ISO-8859-10", CHARSET_SINGLE,
	  "csisolatin6 iso-8859-10 iso-ir-157 iso8859-10 iso885910 l6 "
	  "latin6" },
	{ "ISO-8859-13", "ISO-8859-13", CHARSET_SINGLE,
	  "iso-8859-13 iso8859-13 iso885913" },
	{ "ISO-8859-14", "ISO-8859-14", CHARSET_SINGLE,
	  "iso-8859-14 iso8859-14 iso885914" },
	{ "ISO-8859-15", "ISO-8859-15", CHARSET_SINGLE,
	  "csisolatin9 iso-8859-15 iso8859-15 iso885915 iso_8859-15 l9" },
	{ "ISO-8859-16", "ISO-8859-16", CHARSET_SINGLE, "iso-8859-16" },
	{ "ISO-8859-2", "ISO-8859-2", CHARSET_SINGLE,
	  "csisolatin2 iso-8859-2 iso-ir-101 iso8859-2 iso88592 "
	  "iso_8859-2 iso_8859-2:1987 l2 latin2" },
	{ "ISO-8859-3", "ISO-8859-3", CHARSET_SINGLE,
	  "csisolatin3 iso-8859-3 iso-ir-109 iso8859-3 iso88593 "
	  "iso_8859-3 iso_8859-3:1988 l3 latin3" },
	{ "ISO-8859-4", "ISO-8859-4", CHARSET_SINGLE,
	  "csisolatin4 iso-8859-4 iso-ir-110 iso8859-4 iso88594 "
	  "iso_8859-4 iso_8859-4:1988 l4 latin4" },
	{ "ISO-8859-5", "ISO-8859-5", CHARSET_SINGLE,
	  "csisolatincyrillic cyrillic iso-8859-5 iso-ir-144 iso8859-5 "
	  "iso88595 iso_8859-5 iso_8859-5:1988" },
	{ "ISO-8859-6", "ISO-8859-6", CHARSET_SINGLE,
	  "arabic asmo-708 csiso88596e csiso88596i csisolatinarabic "
	  "ecma-114 iso-8859-6 iso-8859-6-e iso-8859-6-i iso-ir-127 "
	  "iso8859-6 iso88596 iso_8859-6 iso_8859-6:1987" },
	{ "ISO-8859-7", "ISO-8859-7", CHARSET_SINGLE,
	  "csisolatingreek ecma-118 elot_928 greek greek8 iso-8859-7 "
	  "iso-ir-126 iso8859-7 iso88597 iso_8859-7 iso_8859-7:1987 "
	  "sun_eu_greek" },
	{ "ISO-8859-8", "ISO-8859-8", CHARSET_SINGLE,
	  "csiso88598e csisolatinhebrew hebrew iso-8859-8 iso-8859-8-e "
	  "iso-ir-138 iso8859-8 iso88598 iso_8859-8 iso_8859-8:1988 "
	  "visual" },
	{ "ISO-8859-8-I", "ISO-8859-8", CHARSET_SINGLE,
	  "csiso88598i iso-8859-8-i logical" },
	{ "KOI8-R", "KOI8-R", CHARSET_SINGLE, "cskoi8r koi koi8 koi8-r koi8_r" },
	{ "KOI8-U", "KOI8-U", CHARSET_SINGLE, "koi8-ru koi8-u" },
	{ "macintosh", "MACINTOSH", CHARSET_SINGLE,
	  "csmacintosh mac macintosh x-mac-roman" },
	{ "replacement", NULL, CHARSET_REPLACEMENT,
	  "csiso2022kr hz-gb-2312 iso-2022-cn iso-2022-cn-ext "
	  "iso-2022-kr replacement" },
	{ "Shift_JIS", "CP932", CHARSET_MULTI,
	  "csshiftjis ms932 ms_kanji shift-jis shift_jis sjis "
	  "windows-31j x-sjis" },
	{ "UTF-16BE", "UTF-16BE", CHARSET_WIDE, "unicodefffe utf-16be" },
	{ "UTF-16LE", "UTF-16LE", CHARSET_WIDE,
	  "csunicode iso-10646-ucs-2 ucs-2 unicode unicodefeff utf-16 "
	  "utf-16le" },
	{ "windows-1250", "WINDOWS-1250", CHARSET_SINGLE,
	  "cp1250 windows-1250 x-cp1250" },
	{ "windows-1251", "WINDOWS-1251", CHARSET_SINGLE,
	  "cp1251 windows-1251 x-cp1251" },
	{ "windows-1253", "WINDOWS-1253", CHARSET_SINGLE,
	  "cp1253 windows-1253 x-cp1253" },
	{ "windows-1254", "WINDOWS-1254", CHARSET_SINGLE,
	  "cp1254 csisolatin5 iso-8859-9 iso-ir-148 iso8859-9 iso88599 "
	  "iso_8859-9 iso_8859-9:1989 l5 latin5 windows-1254 x-cp1254" },
	{ "windows-1255", "WINDOWS-1255", CHARSET_SINGLE,
	  "cp1255 windows-1255 x-cp1255" },
	{ "windows-1256", "WINDOWS-1256", CHARSET_SINGLE,
	  "cp1256 windows-1256 x-cp1256" },
	{ "windows-1257", "WINDOWS-1257", CHARSET_SINGLE,
	  "cp1257 windows-1257 x-cp1257" },
	{ "windows-1258", "WINDOWS-1258", CHARSET_SINGLE,
	  "cp1258 windows-1258 x-cp1258" },
	{ "windows-874", "CP874", CHARSET_SINGLE,
	  "dos-874 iso-8859-11 iso8859-11 iso885911 tis-620 windows-874" },
	{ "x-mac-cyrillic", "MAC-UK", CHARSET_SINGLE, "x-mac-cyrillic x-mac-ukrainian" },
	{ "x-user-defined", NULL, CHARSET_USER_DEFINED, "x-user-defined" },
};

const size_t charsets_n = COUNT(charsets);
