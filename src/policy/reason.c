#include "policy/reason.h"

#include "record/fetch.h"

/* Scope decides for several reasons alike: what would change that is nearly the same. */
#define WIDER   STR("a wider --scope, an --include pattern, or --hops-off")
#define AS_SEED STR("giving it as a seed: seeds are not checked for traps")
#define TAKES(w, sentence)                                             \
	{                                                              \
		STR("scope"), STR(w), STR(sentence), .change = STR("") \
	}
#define TRAP(w, sentence)                                                               \
	{                                                                               \
		STR("trap"), STR(w), STR(sentence), AS_SEED, FETCH_TRAP, SAVING_NOTHING \
	}

const struct reason_row reason_table[REASONS] = {
	[REASON_NONE] = { STR(""), STR(""), STR(""), STR("") },
	[REASON_SEED] = TAKES("seed", "a seed is always in scope"),
	[REASON_SURT] = { STR("scope"), STR("surt"),
			  STR("the longest SURT prefix that covers it decides"),
			  STR("a longer +SURT prefix that covers it"), FETCH_OUT_OF_SCOPE,
			  SAVING_OUTSIDE },
	[REASON_INCLUDE] = TAKES("include", "an --include pattern matches"),
	[REASON_SCOPE_PAGE] = TAKES("page", "only the seeds are in scope"),
	[REASON_SCOPE_PREFIX] = TAKES("prefix", "it is below the folder of a seed"),
	[REASON_SCOPE_HOST] = TAKES("host", "it is on the host of a seed"),
	[REASON_SCOPE_DOMAIN] = TAKES("domain", "it is in the domain of a seed"),
	[REASON_SCOPE_ANY] = TAKES("any", "every URL is in scope"),
	[REASON_SCOPE_CUSTOM] = TAKES("custom", "patterns alone decide"),
	[REASON_OFF_SITE] = TAKES("off-site", "it is within --hops-off of the scope"),
	[REASON_EMBED] = TAKES("embed", "a page in scope needs it to be shown"),
	[REASON_SCHEME] = { STR("scope"), STR("scheme"),
			    STR("only http and https are fetched"),
			    STR("nothing: only http and https are fetched"),
			    FETCH_OUT_OF_SCOPE, SAVING_OUTSIDE },
	[REASON_LENGTH] = { STR("scope"), STR("length"),
			    STR("it is longer than --max-url"), STR("a larger --max-url"),
			    FETCH_OUT_OF_SCOPE, SAVING_OUTSIDE },
	[REASON_EXCLUDE] = { STR("scope"), STR("exclude"),
			     STR("an --exclude pattern matches"),
			     STR("removing that --exclude pattern"), FETCH_OUT_OF_SCOPE,
			     SAVING_OUTSIDE },
	[REASON_OUT_OF_SCOPE] = { STR("scope"), STR("out-of-scope"),
				  STR("it is outside the scope"), WIDER,
				  FETCH_OUT_OF_SCOPE, SAVING_OUTSIDE },
	[REASON_DEPTH] = { STR("scope"), STR("depth"),
			   STR("it is more links from a seed than --max-depth"),
			   STR("a larger --max-depth, or a shorter way to it"),
			   FETCH_TOO_MANY_HOPS, SAVING_OUTSIDE },
	[REASON_MIME] = { STR("scope"), STR("mime"),
			  STR("its media type is not wanted: the body was not "
			      "downloaded"),
			  STR("another --mime"), FETCH_OUT_OF_SCOPE, SAVING_OUTSIDE },
	[REASON_TRAP_DEEP_PATH] = TRAP("deep-path", "its path has too many segments"),
	[REASON_TRAP_REPEATED_SEGMENTS] =
		TRAP("repeated-segments", "its path repeats itself"),
	[REASON_TRAP_MANY_PARAMETERS] =
		TRAP("many-parameters", "its query has too many parameters"),
	[REASON_TRAP_REPEATED_PARAMETERS] =
		TRAP("repeated-parameters", "its query repeats a parameter"),
	[REASON_TRAP_ESCAPED_ESCAPES] =
		TRAP("escaped-escapes", "it was escaped again and again"),
	[REASON_TRAP_CONCATENATED_HOST] =
		TRAP("concatenated-host", "its path is made of host names"),
	[REASON_TRAP_CALENDAR] = TRAP("calendar", "it names a date years ahead"),
	[REASON_MALFORMED] = { STR("url"), STR("malformed"), STR("it is not a valid URL"),
			       STR(""), FETCH_OUT_OF_SCOPE, SAVING_OUTSIDE },
	[REASON_VETO_APPLICATION] = { STR("apps"), STR("action"),
				      STR("the site's software offers an action or a "
					  "view there, no page"),
				      STR("giving it as a seed: seeds are not vetoed"),
				      FETCH_BLOCKED, SAVING_NOTHING },
	[REASON_VETO_BLACKLIST] = { STR("focus"), STR("blacklist"),
				    STR("it is on a black list"),
				    STR("removing that entry of the list, or giving it "
					"as a seed"),
				    FETCH_BLOCKED, SAVING_OUTSIDE },
	[REASON_VETO_VIEW] = { STR("apps"), STR("view"),
			       STR("its application shows there what other pages show"),
			       STR("something new on a sample of such links, a changed "
				   "description (--apps), or --no-apps"),
			       FETCH_BLOCKED, SAVING_KNOWN },
	[REASON_VETO_MODULE] = { STR("focus"), STR("module"),
				 STR("an analysis module forbids it"),
				 STR("another answer of the module, or giving it as a "
				     "seed"),
				 FETCH_BLOCKED, SAVING_OUTSIDE },
	[REASON_NOFOLLOW] = { STR("links"), STR("nofollow"),
			      STR("the link to it is marked rel=nofollow"),
			      STR("a link to it without that mark, or "
				  "--no-obey-rel-nofollow"),
			      FETCH_BLOCKED, SAVING_OUTSIDE },
	[REASON_API_OBJECT] = { STR("api"), STR("object"),
				STR("its site's API has given what it shows, in fewer "
				    "requests"),
				STR("something new on a sample of such pages, an API "
				    "that fails or costs more, or --api never"),
				FETCH_BLOCKED, SAVING_KNOWN },
	[REASON_API_LIST] = { STR("api"), STR("list"),
			      STR("a list of its site's API stands for many pages"),
			      STR("--api never") },
	[REASON_KNOWN] = { STR("seen"), STR("known"), STR("it was found before"), STR(""),
			   .saving = SAVING_KNOWN },
	[REASON_NEW] = { STR("seen"), STR("new"), STR("it was not found before"),
			 STR("") },
	[REASON_URL_RULE] = { STR("rules"), STR("rules"),
			      STR("URL rules map it to a page that is known"),
			      STR("a contradiction to the rule; 'state disabled' in "
				  "DIR/rules; --no-rules"),
			      FETCH_CUSTOM, SAVING_KNOWN },
	[REASON_CHECK] = { STR("rules"), STR("check"),
			   STR("its page contradicts a proved URL rule"), STR("") },
	[REASON_ROBOTS] = { STR("queue"), STR("robots"), STR("robots.txt denies it"),
			    STR("the site's robots.txt, or --ignore-robots"),
			    FETCH_ROBOTS_DENIED, SAVING_OUTSIDE },
	[REASON_TEMPLATE] = { STR("queue"), STR("template"),
			      STR("URLs of its form have brought nothing new"),
			      STR("new content on URLs of the same form, or "
				  "--template-first"),
			      FETCH_QUOTA, SAVING_NOTHING },
	[REASON_GUESS] = { STR("queue"), STR("guess"),
			   STR("guesses on its site have led nowhere"),
			   STR("a link to it, or guesses of its site that lead to pages"),
			   FETCH_CUSTOM, SAVING_NOTHING },
	[REASON_HOST_PAGES] = { STR("queue"), STR("host-pages"),
				STR("the page budget of its host is spent"),
				STR("a larger --host-pages"), FETCH_QUOTA,
				SAVING_OUTSIDE },
	[REASON_HOST_BYTES] = { STR("queue"), STR("host-bytes"),
				STR("the byte budget of its host is spent"),
				STR("a larger --host-bytes"), FETCH_QUOTA,
				SAVING_OUTSIDE },
	[REASON_HOST_SITEMAPS] = { STR("queue"), STR("host-sitemaps"),
				   STR("the sitemap budget of its host is spent"),
				   STR("a larger --host-sitemaps"), FETCH_QUOTA,
				   SAVING_OUTSIDE },
	[REASON_DOMAIN_PAGES] = { STR("queue"), STR("domain-pages"),
				  STR("the page budget of its domain is spent"),
				  STR("a larger --domain-pages, or links from other "
				      "domains"),
				  FETCH_QUOTA, SAVING_OUTSIDE },
	[REASON_SITE_DEAD] = { STR("queue"), STR("site-dead"),
			       STR("its site could not be reached"),
			       STR("the site answering again: start the crawl again"),
			       FETCH_CONNECT_FAILED, SAVING_OUTSIDE },
	[REASON_SITE_RETRY] = { STR("queue"), STR("site-retry"),
				STR("an earlier process could not reach its site"),
				STR("") },
	[REASON_RENDER_OVER] = { STR("queue"), STR("render-over"),
				 STR("no page in a browser waits for it any more"),
				 STR("rendering the page again"), FETCH_CUSTOM,
				 SAVING_NOTHING },
	[REASON_SOFT_404] = { STR("content"), STR("soft-404"),
			      STR("it says what its host says of missing pages"),
			      STR("") },
	[REASON_RETRY] = { STR("retry"), STR("retry"),
			   STR("it failed for a reason that may pass"), STR("") },
	[REASON_COOKIE] = { STR("retry"), STR("cookie"),
			    STR("it set a cookie and wants to see it"), STR("") },
	[REASON_SOFT_404_PROBE] = { STR("probe"), STR("soft-404"),
				    STR("one URL per host that cannot exist"), STR("") },
	[REASON_LAST_ATTEMPT] = { STR("failed"), STR("last"),
				  STR("nothing else is left to fetch"), STR("") },
	[REASON_DUE] = { STR("recrawl"), STR("due"), STR("it is due again"), STR("") },
	[REASON_NEEDS_BROWSER] = { STR("browser"), STR("needs-browser"),
				   STR("it needs a browser"), STR("--browser never") },
	[REASON_RENDER_REQUEST] = { STR("browser"), STR("request"),
				    STR("a page in the browser requests it"), STR("") },
	[REASON_MAX_PAGES] = { STR("limit"), STR("pages"), STR("--max-pages is reached"),
			       STR("a larger --max-pages") },
	[REASON_MAX_BYTES] = { STR("limit"), STR("bytes"), STR("--max-bytes is reached"),
			       STR("a larger --max-bytes") },
	[REASON_MAX_TIME] = { STR("limit"), STR("time"), STR("--max-time is over"),
			      STR("a longer --max-time") },
	[REASON_INJECTED] = { STR("control"), STR("injected"),
			      STR("what is injected is always in scope"), STR("") },
	[REASON_BLACKLISTED] = { STR("control"), STR("blacklisted"),
				 STR("it was blacklisted through the control API"),
				 STR("nothing: later updates of it are ignored"),
				 FETCH_BLOCKED, SAVING_OUTSIDE },
	[REASON_EXPIRED] = { STR("control"), STR("expired"),
			     STR("the deadline it was injected with has passed"),
			     STR("a later deadline, or a higher score"), FETCH_CUSTOM,
			     SAVING_OUTSIDE },
	[REASON_DROPPED_BY_HAND] = { STR("control"), STR("dropped"),
				     STR("it was dropped through the control API"),
				     STR("injecting it again"), FETCH_BLOCKED,
				     SAVING_OUTSIDE },
	[REASON_HELD_BY_HAND] = { STR("control"), STR("held"),
				  STR("it was held through the control API until the end "
				      "of the crawl"),
				  STR("injecting it again, or a score for it"),
				  FETCH_BLOCKED, SAVING_OUTSIDE },
	[REASON_SATURATION] = { STR("limit"), STR("saturation"),
				STR("few of the last pages were relevant and new"),
				STR("a smaller --min-yield") },
	[REASON_ELSEWHERE] = { STR("cluster"), STR("elsewhere"),
			       STR("another node of the crawl has done with it"),
			       STR("a crawl of its own"), FETCH_CUSTOM, SAVING_KNOWN },
};

enum reason reason_find(struct str stage, struct str word)
{
	for (enum reason r = REASON_NONE + 1; r < REASONS; r++)
		if (str_eq(reason_table[r].stage, stage) &&
		    str_eq(reason_table[r].word, word))
			return r;
	/* Its word is the rule's own text. */
	return str_eq(stage, reason_table[REASON_URL_RULE].stage) ? REASON_URL_RULE
								  : REASON_NONE;
}
