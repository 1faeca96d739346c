#include "warc/digest.h"

#include <assert.h>
#include <openssl/evp.h>
#include <string.h>

#include "base/encode.h"

static const struct {
	const char *name, *openssl;
	size_t bytes;
} kinds[DIGEST_KINDS] = {
	[DIGEST_SHA1] = { "sha1", "SHA1", 20 },
	[DIGEST_SHA256] = { "sha256", "SHA256", 32 },
	[DIGEST_SHA512] = { "sha512", "SHA512", 64 },
	[DIGEST_MD5] = { "md5", "MD5", 16 },
};

void digest_init(struct digest *d, enum digest_kind kind)
{
	*d = (struct digest){
		.algorithm = EVP_MD_fetch(NULL, kinds[kind].openssl, NULL),
		.state = EVP_MD_CTX_new(),
		.bytes = kinds[kind].bytes,
	};
	assert(d->algorithm && d->state);
}

void digest_release(struct digest *d)
{
	EVP_MD_free(d->algorithm);
	EVP_MD_CTX_free(d->state);
	*d = (struct digest){ 0 };
}

void digest_start(struct digest *d)
{
	int ok = EVP_DigestInit_ex2(d->state, d->algorithm, NULL);

	assert(ok);
	(void)ok;
}

void digest_add(struct digest *d, struct str bytes)
{
	EVP_DigestUpdate(d->state, bytes.p, bytes.n);
}

void digest_end(struct digest *d, uint8_t *ret)
{
	unsigned n;

	EVP_DigestFinal_ex(d->state, ret, &n);
	assert(n == d->bytes);
}

void digest_of(struct digest *d, struct str bytes, uint8_t *ret)
{
	digest_start(d);
	digest_add(d, bytes);
	digest_end(d, ret);
}

struct str digest_name(enum digest_kind kind)
{
	return str_from(kinds[kind].name);
}

void buf_add_sha1(struct buf *b, const uint8_t *digest)
{
	buf_add(b, STR("sha1:"));
	buf_add_base32(b, (struct str){ (const char *)digest, SHA1_BYTES });
}

/* "sha-1", "SHA1" and "sha1" are all seen in the wild. */
static bool find_kind(struct str name, enum digest_kind *ret)
{
	char plain[16];
	size_t n = 0;

	for (size_t i = 0; i < name.n && n < sizeof(plain); i++)
		if (name.p[i] != '-')
			plain[n++] = ascii_lower(name.p[i]);
	for (enum digest_kind k = 0; k < DIGEST_KINDS; k++)
		if (str_eq((struct str){ plain, n }, digest_name(k))) {
			*ret = k;
			return true;
		}
	return false;
}

enum status digest_parse(struct str label, enum digest_kind *ret_kind,
			 uint8_t ret_value[DIGEST_MAX_BYTES])
{
	cleanup(buf_release) struct buf value = { 0 };
	struct str name;
	enum digest_kind kind;

	if (str_find_char(label, ':') == STR_NONE || !str_take_until(&label, ':', &name))
		return ST_SYNTAX;
	if (!find_kind(name, &kind))
		return ST_UNSUPPORTED;
	size_t want = kinds[kind].bytes;
	/* The length tells hex from base32, whose alphabets overlap. */
	enum status st = label.n == 2 * want ? buf_add_unhex(&value, label)
					     : buf_add_unbase32(&value, label);
	if (st != ST_OK || value.n != want)
		return ST_SYNTAX;
	memcpy(ret_value, value.p, want);
	*ret_kind = kind;
	return ST_OK;
}
