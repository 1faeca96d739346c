#include <string.h>

#include "cmd/states_settings.h"

#define AT(field) offsetof(struct states_settings, field)

const struct option_row states_options[] = {
	{ "out", 'o', OPTION_STR, AT(out), 0, 0, NULL, "DIR", NULL,
	  "folder of the crawl; one that exists is resumed" },
	{ "resume", 0, OPTION_STR, AT(resume), 0, 0, NULL, "DIR", NULL,
	  "go on with the crawl in this folder, with the settings it was begun with" },
	{ "threshold", 't', OPTION_REAL, AT(threshold), 0, 1, "0", "X", NULL,
	  "states whose templates differ by no more than this are one (0 to 1)" },
	{ "content-threshold", 0, OPTION_REAL, AT(content_threshold), 0, 128, "128", "X",
	  NULL,
	  "the same for their contents, in the measure of the method; 128 ignores them" },
	{ "method", 'm', OPTION_STR, AT(method), 0, 0, "simhash64", "NAME", NULL,
	  "fingerprint of the content; 'thresh dedup --help' names them" },
	{ "preset", 0, OPTION_STR, AT(preset), 0, 0, NULL, "FILE", NULL,
	  "method, pieces, size and threshold from thresh calibrate" },
	{ "size", 0, OPTION_UINT, AT(size), 0, 63, "0", "N", NULL,
	  "pieces a shingle of the method; 0 is its own" },
	{ "pieces", 0, OPTION_CHOICE, AT(pieces), 0, 0, "own", NULL,
	  "own|chars|words|sentences", "what its shingles are made of" },
	{ "strip", 0, OPTION_LIST, AT(strip), 0, 0, NULL, "WHAT", NULL,
	  "structure, attributes, text or spaces: the content is the HTML without them, "
	  "not the visible text; or a CSS selector of what counts nowhere" },
	{ "max-states", 0, OPTION_UINT, AT(max_states), 0, 0, "1000", "N", NULL,
	  "stop after so many states; 0 for no limit" },
	{ "max-depth", 0, OPTION_UINT, AT(max_depth), 0, 0, "0", "N", NULL,
	  "events from the start; 0 for no limit" },
	{ "max-events", 0, OPTION_UINT, AT(max_events), 0, 0, "0", "N", NULL,
	  "events in all; 0 for no limit" },
	{ "max-time", 0, OPTION_TIME, AT(max_ms), 0, 0, "1h", "TIME", NULL,
	  "stop after this time; 0 for no limit" },
	{ "max-visits", 0, OPTION_UINT, AT(max_visits), 0, 0, "3", "N", NULL,
	  "states of one template to explore in a row without meeting an element never "
	  "seen; what was tried nowhere is tried nevertheless; 0 for no limit" },
	{ "max-repeats", 0, OPTION_UINT, AT(worth.repeats), 0, 0, "0", "N", NULL,
	  "how often in a row one control, in whatever states, is tried without meeting "
	  "an element never seen; 0 for no limit" },
	{ "max-alike", 0, OPTION_UINT, AT(worth.alike), 0, 0, "30", "N", NULL,
	  "controls of one kind, as those of a list, to try in a row in one state "
	  "without "
	  "meeting an element never seen; 0 for no limit" },
	{ "max-series", 0, OPTION_UINT, AT(worth.series), 0, 0, "100", "N", NULL,
	  "controls of one kind, in states merged into others, to try in a row without "
	  "meeting an element never seen; 0 for no limit" },
	{ "enough", 0, OPTION_REAL, AT(enough), 0, 1, "0.01", "P", NULL,
	  "end when an event brings something new with a probability below this, by the "
	  "rule of three; 0 for never" },
	{ "max-combinations", 0, OPTION_UINT, AT(worth.combinations), 0, 0, "50", "N",
	  NULL,
	  "states that show no element never seen; when there are more, nothing is tried "
	  "again in another state; 0 for no limit" },
	{ "max-per-state", 0, OPTION_UINT, AT(max_fired), 0, 0, "0", "N", NULL,
	  "events to try in one state; 0 for no limit" },
	{ "wait", 0, OPTION_TIME, AT(settle_ms), 1, 600000, "1s", "TIME", NULL,
	  "time the page gets after each event, by its own clock" },
	{ "max-wait", 0, OPTION_TIME, AT(request_ms), 1, 600000, "10s", "TIME", NULL,
	  "for the answer to a request of the page; one that took longer is refused "
	  "from then on" },
	{ "seed", 0, OPTION_UINT, AT(seed), 0, 0, "1", "N", NULL,
	  "of the page's randomness and of what is typed" },
	{ "value", 0, OPTION_LIST, AT(values), 0, 0, NULL, "NAME=VALUE", NULL,
	  "what to type into a field, by its name, id or label" },
	{ "cookies", 0, OPTION_STR, AT(cookies), 0, 0, NULL, "FILE", NULL,
	  "of a session to crawl in: Netscape's format, or the storage state of "
	  "Playwright" },
	{ "logged-in", 0, OPTION_STR, AT(logged_in), 0, 0, NULL, "SELECTOR", NULL,
	  "what the first page must show, or nothing is crawled" },
	{ "fail-on-problem", 0, OPTION_FLAG, AT(fail_on_problem), 0, 0, "no", NULL, NULL,
	  "exit code 7 when a page threw, logged an error, or met a failed request" },
	{ "accessibility", 0, OPTION_FLAG, AT(accessibility), 0, 0, "no", NULL, NULL,
	  "check every new state: names, labels, headings, contrast; what fails is a "
	  "problem" },
	{ "validate", 0, OPTION_FLAG, AT(validate), 0, 0, "no", NULL, NULL,
	  "check the HTML of every new state by the standard, as far as a DOM tells; "
	  "what fails is a problem" },
	{ "check", 0, OPTION_LIST, AT(checks), 0, 0, NULL, "FILE", NULL,
	  "JavaScript to run in every new state, an expression or a function: what is "
	  "wrong, as a text or a list of texts" },
	{ "har", 0, OPTION_FLAG, AT(har), 0, 0, "no", NULL, NULL,
	  "write the traffic as overview/traffic.har, too" },
	{ "include", 0, OPTION_LIST, AT(include), 0, 0, NULL, "WHAT", NULL,
	  "only these elements and what is in them: CSS selector, XPath, or words of "
	  "their text" },
	{ "exclude", 0, OPTION_LIST, AT(exclude), 0, 0, NULL, "WHAT", NULL,
	  "never these" },
	{ "allow-destructive", 0, OPTION_FLAG, AT(allow_destructive), 0, 0, "no", NULL,
	  NULL, "also click what logs out, deletes, pays or unsubscribes" },
	{ "writes", 0, OPTION_CHOICE, AT(writes), 0, 0, "once", NULL, "none|once|all",
	  "what the page may send by other methods than GET: nothing; what an event "
	  "sends, "
	  "once and never DELETE, repetitions get the first answer; everything" },
	{ "allow-host", 0, OPTION_LIST, AT(hosts), 0, 0, NULL, "HOST[:PORT]", NULL,
	  "a host on this machine or in a private network that the page may ask, besides "
	  "the start's own" },
	{ "addresses", 0, OPTION_FLAG, AT(addresses), 0, 0, "yes", NULL, NULL,
	  "open, last of all, addresses of the site that a page names in attributes, "
	  "comments, "
	  "scripts or text without showing a link" },
	{ "scroll", 0, OPTION_FLAG, AT(scroll), 0, 0, "no", NULL, NULL,
	  "scroll every long page, not only those that listen for it" },
	{ "screenshots", 0, OPTION_FLAG, AT(screenshots), 0, 0, "yes", NULL, NULL,
	  "a picture of every new state" },
	{ "max-traffic", 0, OPTION_BYTES, AT(max_traffic), 0, 0, "1G", "BYTES", NULL,
	  "WARC to write of what the browser asks and gets; 0 for none" },
	{ "real-time", 0, OPTION_FLAG, AT(real_time), 0, 0, "no", NULL, NULL,
	  "let the page's clock be the real one" },
	{ "insecure", 0, OPTION_FLAG, AT(insecure), 0, 0, "no", NULL, NULL,
	  "accept any certificate" },
	{ "width", 0, OPTION_UINT, AT(width), 200, 10000, "1280", "PIXELS", NULL,
	  "of the window" },
	{ "height", 0, OPTION_UINT, AT(height), 200, 10000, "800", "PIXELS", NULL,
	  "of the window" },
	{ "locale", 0, OPTION_STR, AT(locale), 0, 0, "en-US", "NAME", NULL,
	  "what the page sees" },
	{ "timezone", 0, OPTION_STR, AT(timezone), 0, 0, "UTC", "NAME", NULL,
	  "what the page sees" },
	{ "browser", 0, OPTION_STR, AT(browser), 0, 0, NULL, "PROGRAM", NULL,
	  "the Chromium to start" },
	{ "attach", 0, OPTION_STR, AT(attach), 0, 0, NULL, "WS-URL", NULL,
	  "use a running browser: ws://127.0.0.1:PORT/devtools/browser/ID" },
	{ "connect-to", 0, OPTION_STR, AT(connect_to), 0, 0, NULL, "IP:PORT", NULL,
	  "all hosts lead there" },
	{ "json", 0, OPTION_FLAG, AT(json), 0, 0, "no", NULL, NULL,
	  "print the result as JSON" },
	OPTION_END,
};

bool states_option_is_free(const char *name)
{
	static const char *const free_rows[] = {
		"check",     "accessibility",   "validate",   "har",         "out",
		"preset",    "resume",          "max-states", "max-events",  "cookies",
		"logged-in", "fail-on-problem", "max-time",   "max-depth",   "browser",
		"attach",    "connect-to",      "json",       "screenshots", "max-traffic"
	};

	for (size_t i = 0; i < COUNT(free_rows); i++)
		if (strcmp(name, free_rows[i]) == 0)
			return true;
	return false;
}
