#include "api/campaign.h"
#include "api/folder_journal.h"
#include "api/handover.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A campaign that was ordered over HTTP; a record of a journal; a line of links.jsonl. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct str text = { (const char *)data, size };
	cleanup(doc_release) struct api_doc d = { 0 };
	cleanup(catalog_release) struct catalog catalog = { .only_names = true };
	cleanup(buf_release) struct buf url = { 0 };
	struct campaign_folder f = { 0 };
	struct folder_commit commit;
	struct campaign c = { 0 };
	struct diag why;
	double score;

	if (doc_parse(&d, STR("fuzz"), text, &why) == ST_OK &&
	    campaign_parse(&d, &catalog, &c, &why) == ST_OK)
		campaign_release(&c);
	if (folder_replay(&f, text) == ST_OK && size > 0)
		(void)!commit_record_decode(str_skip(text, 1), &commit);
	(void)!handover_parse(text, &url, &score);
	folder_release(&f);
	return 0;
}
