#include "journal/clusters.h"

#include "base/alloc.h"
#include "test.h"
#include "tmp.h"

static const char *const lines[] = {
	"http://a/\thttp://a/?s=2", "http://b/\thttp://b/x", "http://a/\thttp://a/?s=1",
	"http://a/\thttp://a/?s=2", "http://c/\thttp://c/",  "nonsense"
};

static enum status next(void *ctx, struct str *ret, struct diag *why)
{
	size_t *at = ctx;

	(void)why;
	if (*at == COUNT(lines))
		return ST_AGAIN;
	*ret = str_from(lines[(*at)++]);
	return ST_OK;
}

static enum status collect(void *ctx, struct str key, struct str value, struct diag *why)
{
	(void)why;
	buf_add(ctx, key);
	buf_add_char(ctx, '\t');
	buf_add(ctx, value);
	buf_add_char(ctx, '\n');
	return ST_OK;
}

static void a_cluster_has_every_url_once_its_representative_first(void)
{
	struct batch *b;
	struct buf out = { 0 };
	struct diag why;
	size_t at = 0;

	batch_open_local(&b, tmp_path(""), 1 << 20);
	CHECK(b->ops->run(b, &clusters_job, next, &at,
			  (struct batch_emit){ collect, &out }, &why) == ST_OK);
	CHECK(str_eq(buf_str(&out),
		     STR("http://a/\thttp://a/\thttp://a/?s=1\thttp://a/?s=2\n"
			 "http://b/\thttp://b/\thttp://b/x\n")));
	batch_close(&b);
	buf_release(&out);
}

int main(void)
{
	RUN(a_cluster_has_every_url_once_its_representative_first);
	DONE();
}
