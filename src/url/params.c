/*
 * Query parameters that say who comes from where, not which page is meant.
 * Compared without case; a name ending in '*' is a prefix.
 */
#include "url/normal.h"

static const char *const tracking[] = {
	/* campaigns */
	"utm_*",
	"mtm_*",
	"matomo_*",
	"piwik_*",
	"pk_*",
	"hsa_*",
	"oly_*",
	"vero_*",
	"ml_subscriber*",
	"_openstat",
	"mkt_tok",
	"mc_cid",
	"mc_eid",
	"_hsenc",
	"_hsmi",
	"hsctatracking",
	"__hssc",
	"__hstc",
	"__hsfp",
	"wickedid",
	"rb_clickid",
	"s_cid",
	"trk_*",
	/* click identifiers */
	"gclid",
	"gclsrc",
	"dclid",
	"gbraid",
	"wbraid",
	"gad_source",
	"gad_campaignid",
	"fbclid",
	"msclkid",
	"yclid",
	"ysclid",
	"twclid",
	"ttclid",
	"li_fat_id",
	"igsh",
	"igshid",
	"scclid",
	"sccid",
	"epik",
	"srsltid",
	"zanpid",
	"irclickid",
	/* analytics */
	"_ga",
	"_gl",
	"_gac",
	"fb_action_ids",
	"fb_action_types",
	"fb_source",
	"fb_ref",
};

static const char *const session[] = {
	"jsessionid", "phpsessid", "aspsessionid*", "sessionid",   "session_id",
	"sessid",     "oscsid",    "zenid",         "xtcsid",      "cfid",
	"cftoken",    "mscssid",   "bv_sessionid",  "symfony",     "sessionguid",
	"phpsess",    "ss_sid",    "viewstate",     "__viewstate", "sess_id",
	"usessionid", "swsid",     "websid",        "ci_session",
};

/* These mean a session only when the value looks drawn at random. */
static const char *const maybe_session[] = { "sid", "s", "session", "token_id" };

static bool matches(struct str name, const char *pattern)
{
	struct str p = str_from(pattern);

	if (p.n && p.p[p.n - 1] == '*')
		return str_starts_nocase(name, str_slice(p, 0, p.n - 1));
	return str_eq_nocase(name, p);
}

static bool matches_any(struct str name, const char *const *patterns, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (matches(name, patterns[i]))
			return true;
	return false;
}

/* At least 20 letters and digits, and digits among them: no word is like that. */
static bool looks_random(struct str value)
{
	size_t digits = 0;

	for (size_t i = 0; i < value.n; i++) {
		if (!ascii_is_digit(value.p[i]) && !ascii_is_alpha(value.p[i]))
			return false;
		digits += ascii_is_digit(value.p[i]);
	}
	return value.n >= 20 && digits >= 4;
}

bool param_is_tracking(struct str name)
{
	return matches_any(name, tracking, COUNT(tracking));
}

bool param_is_session(struct str name, struct str value)
{
	return matches_any(name, session, COUNT(session)) ||
	       (looks_random(value) &&
		matches_any(name, maybe_session, COUNT(maybe_session)));
}
