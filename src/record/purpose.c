#include "record/purpose.h"

#include "record/fetch.h"

const struct purpose_traits purpose_table[PURPOSES] = {
	[PURPOSE_LINK] = { STR("link"), STR("a page links to it"), .is_page = true,
			   .may_be_skipped = true },
	[PURPOSE_SEED] = { STR("seed"), STR("it is a seed"), .is_page = true },
	[PURPOSE_REDIRECT] = { STR("redirect"), STR("a redirect leads to it"),
			       .is_page = true, .may_be_skipped = true },
	[PURPOSE_EMBED] = { STR("embed"), STR("a page needs it to be shown"),
			    .is_page = true, .may_be_skipped = true },
	[PURPOSE_MANIFEST] = { STR("manifest"), STR("a sitemap or feed names it"),
			       .is_page = true, .may_be_skipped = true },
	[PURPOSE_FORM] = { STR("form"), STR("a form leads to it"), .is_page = true,
			   .may_be_skipped = true },
	[PURPOSE_GUESS] = { STR("guess"), STR("a string in a script looks like it"),
			    .is_page = true, .may_be_skipped = true },
	[PURPOSE_RULE_PROBE] = { STR("rule-probe"),
				 STR("it tests a URL rule that would have skipped it"),
				 .is_page = true, .is_unbudgeted = true },
	[PURPOSE_EXPLORATION] = { STR("exploration"),
				  STR("it samples what a proved URL rule skips"),
				  .is_page = true },
	[PURPOSE_REPLACEMENT] = { STR("replacement"),
				  STR("the URL that stood for its page brought none"),
				  .is_page = true },
	[PURPOSE_RETURN] = { STR("return"),
			     STR("the rule that had skipped it was retracted, or the URL "
				 "it was skipped for brought no page"),
			     .is_page = true, .was_skipped = true },
	[PURPOSE_RETURN_PROBE] = { STR("return-probe"),
				   STR("it was skipped before, and tests another URL "
				       "rule now"),
				   .is_page = true, .is_unbudgeted = true,
				   .was_skipped = true },
	[PURPOSE_FINAL_SWEEP] = { STR("final-sweep"),
				  STR("the URL it was skipped for was never answered"),
				  .is_page = true, .was_skipped = true },
	[PURPOSE_LAST_ATTEMPT] = { STR("last-attempt"),
				   STR("it failed for a reason that may have passed"),
				   .is_page = true, .is_unbudgeted = true },
	[PURPOSE_RESCOPED] = { STR("rescoped"), STR("the scope was changed"),
			       .is_page = true, .is_unbudgeted = true,
			       .may_be_skipped = true },
	[PURPOSE_REVISIT] = { STR("revisit"), STR("it is due to be fetched again"),
			      .is_unbudgeted = true },
	[PURPOSE_CHECK] = { STR("check"),
			    STR("it contradicts a proved URL rule: fetched again, to "
				"compare"),
			    .is_unbudgeted = true },
	[PURPOSE_SOFT_404_PROBE] = { STR("soft-404-probe"),
				     STR("it cannot exist: its answer shows what the "
					 "host "
					 "says of missing pages"),
				     .is_unbudgeted = true },
	[PURPOSE_NEXT_PAGE] = { STR("next-page"),
				STR("its application's description says that a page "
				    "goes on there"),
				.is_page = true },
	[PURPOSE_VIEW_SAMPLE] = { STR("view-sample"),
				  STR("it tests whether such links are rightly left "
				      "out"),
				  .is_page = true, .is_unbudgeted = true },
	[PURPOSE_SITEMAP] = { STR("sitemap"),
			      STR("robots.txt or a sitemap index names it as a sitemap"),
			      .is_page = true, .is_unbudgeted = true },
	[PURPOSE_API] = { STR("api"),
			  STR("its site's API has there what pages of the site show"),
			  .is_unbudgeted = true },
	[PURPOSE_ROBOTS] = { STR("robots"), STR("robots.txt comes before other URLs"),
			     .is_unbudgeted = true },
	[PURPOSE_INJECTED] = { STR("injected"),
			       STR("it was injected through the control "
				   "API"),
			       .is_page = true, .is_unbudgeted = true },
	[PURPOSE_BROWSER] = { STR("browser"), STR("its page needs a browser"),
			      .is_unbudgeted = true },
	[PURPOSE_RENDER_REQUEST] = { STR("render-request"),
				     STR("a page in the browser requests it"),
				     .is_unbudgeted = true },
};

enum purpose purpose_of_hop(uint8_t hop)
{
	switch ((enum hop)hop) {
	case HOP_REDIRECT:
		return PURPOSE_REDIRECT;
	case HOP_EMBED:
		return PURPOSE_EMBED;
	case HOP_MANIFEST:
		return PURPOSE_MANIFEST;
	case HOP_FORM:
		return PURPOSE_FORM;
	case HOP_GUESS:
		return PURPOSE_GUESS;
	case HOP_LINK:
	case HOP_PREREQUISITE:
	case HOP_INFERRED:
		break;
	}
	return PURPOSE_LINK;
}

/* One space for each; the numbers are part of the journal's format. */
static struct u128 in_space(struct u128 hash, uint64_t space)
{
	return (struct u128){ hash_mix(hash.hi ^ space), hash_mix(hash.lo + space) };
}

struct u128 purpose_identity(enum purpose purpose, struct str url, struct str key)
{
	switch (purpose) {
	case PURPOSE_RULE_PROBE:
	case PURPOSE_EXPLORATION:
	case PURPOSE_REPLACEMENT:
	case PURPOSE_RETURN:
	case PURPOSE_RETURN_PROBE:
	case PURPOSE_FINAL_SWEEP:
	case PURPOSE_LAST_ATTEMPT:
	case PURPOSE_CHECK:
	case PURPOSE_BROWSER:
	case PURPOSE_RENDER_REQUEST:
	case PURPOSE_API:
		return in_space(hash128(url), 2 + (uint64_t)purpose);
	default:
		return str_eq(url, key) ? hash128(url) : in_space(hash128(key), 1);
	}
}
