#include "testweb/trouble.h"

#include "base/buf.h"
#include "base/date.h"

const char *const trouble_names[TROUBLES] = {
	"latency", "429",    "5xx",     "reset", "truncated", "overlong",
	"length",  "chunks", "headers", "body",  "drip",      "bomb",
	"charset", "html",   "robots",  "401",   "cookies",
};

/* Troubles after which the page comes, if asked again. */
#define PASSING                                                        \
	(1u << TROUBLE_429 | 1u << TROUBLE_5XX | 1u << TROUBLE_RESET | \
	 1u << TROUBLE_TRUNCATED | 1u << TROUBLE_LENGTH | 1u << TROUBLE_CHUNKS)
/* Troubles in spite of which the page comes. */
#define LASTING                                                                \
	(1u << TROUBLE_OVERLONG | 1u << TROUBLE_DRIP | 1u << TROUBLE_CHARSET | \
	 1u << TROUBLE_HTML)

static unsigned nth_bit(uint32_t bits, unsigned n)
{
	while (n--)
		bits &= bits - 1;
	return (unsigned)__builtin_ctz(bits);
}

struct affliction trouble_of(const struct world *w, const struct place *p)
{
	uint32_t can = w->options.troubles & (PASSING | LASTING);
	uint64_t h = hash_mix(w->sites[p->site].key ^ hash_mix(((uint64_t)p->view << 56) +
							       ((uint64_t)p->item << 24) +
							       p->part + ABOUT_TROUBLE));

	if (!can || p->view > VIEW_ARCHIVE ||
	    (double)(h >> 40) >= w->options.trouble_share * 0x1p24)
		return (struct affliction){ TROUBLES, 0, 0 };
	unsigned t = nth_bit(can, (unsigned)(h % (unsigned)__builtin_popcount(can)));

	return (struct affliction){
		.trouble = (uint8_t)t,
		.tries = PASSING & 1u << t ? (uint8_t)(1 + (h >> 8) % 2) : 255,
		.form = (uint32_t)(h >> 16),
	};
}

/* Waits are short, so that a test does not take an hour; "far" is capped by any sane
 * client. */
const struct retry_form retry_forms[RETRY_FORMS] = {
	{ "seconds", 1000 },   { "two seconds", 2000 },
	{ "http date", 1000 }, { "asctime date", 1000 },
	{ "past date", 0 },    { "zero", 0 },
	{ "fraction", 0 },     { "negative", 0 },
	{ "garbage", 0 },      { "none", 0 },
};

bool retry_after_write(unsigned form, int64_t now_ms, struct buf *to)
{
	static const char *const months[] = { "Jan", "Feb", "Mar", "Apr", "May", "Jun",
					      "Jul", "Aug", "Sep", "Oct", "Nov", "Dec" };
	static const char *const days[] = { "Thu", "Fri", "Sat", "Sun",
					    "Mon", "Tue", "Wed" };
	int64_t then = now_ms + 2000;
	struct civil c = civil_from_ms(then);

	switch (form % RETRY_FORMS) {
	case 0:
		buf_add(to, STR("1"));
		return true;
	case 1:
		buf_add(to, STR("2"));
		return true;
	case 2:
		buf_add_date_http(to, then);
		return true;
	case 3:
		buf_addf(to, "%s %s %2d %02d:%02d:%02d %d", days[then / 86400000 % 7],
			 months[c.month - 1], c.day, c.hour, c.minute, c.second, c.year);
		return true;
	case 4:
		buf_add(to, STR("Wed, 21 Oct 2015 07:28:00 GMT"));
		return true;
	case 5:
		buf_add(to, STR("0"));
		return true;
	case 6:
		buf_add(to, STR("0.5"));
		return true;
	case 7:
		buf_add(to, STR("-5"));
		return true;
	case 8:
		buf_add(to, STR("soon"));
		return true;
	default:
		return false;
	}
}
