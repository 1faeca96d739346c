#include "fetch/failure.h"

#include <errno.h>
#include <openssl/x509_vfy.h>
#include <string.h>

int failure_code(const struct transfer *t, CURLcode code)
{
	if (t->cut == CUT_GUARD)
		return FETCH_BLOCKED;
	if (t->socket_errno)
		return FETCH_RUNTIME_ERROR; /* ours, not the server's */
	switch (code) {
	case CURLE_COULDNT_RESOLVE_HOST:
	case CURLE_COULDNT_RESOLVE_PROXY:
		return FETCH_DNS_FAILED;
	case CURLE_COULDNT_CONNECT:
	case CURLE_SSL_CONNECT_ERROR:
	case CURLE_PEER_FAILED_VERIFICATION:
	case CURLE_SSL_CACERT_BADFILE:
		return FETCH_CONNECT_FAILED;
	case CURLE_OPERATION_TIMEDOUT:
		return FETCH_TIMED_OUT;
	case CURLE_UNSUPPORTED_PROTOCOL:
	case CURLE_URL_MALFORMAT:
		return FETCH_UNSUPPORTED;
	case CURLE_FAILED_INIT:
	case CURLE_OUT_OF_MEMORY:
		return FETCH_RUNTIME_ERROR;
	default:
		return t->cut == CUT_FIRST_BYTE || t->cut == CUT_ABORTED ? FETCH_TIMED_OUT
		       : t->cut == CUT_DEFERRED                          ? FETCH_DEFERRED
						: FETCH_CONNECTION_LOST;
	}
}

/* The names are compared by libcurl itself, before OpenSSL's verdict is taken. */
static enum fetch_cause certificate_cause(const struct transfer *t)
{
	long verdict = X509_V_OK;

	curl_easy_getinfo(t->easy, CURLINFO_SSL_VERIFYRESULT, &verdict);
	switch (verdict) {
	case X509_V_OK:
	case X509_V_ERR_UNSPECIFIED:
	case X509_V_ERR_HOSTNAME_MISMATCH:
	case X509_V_ERR_IP_ADDRESS_MISMATCH:
		return CAUSE_TLS_WRONG_NAME;
	case X509_V_ERR_CERT_HAS_EXPIRED:
	case X509_V_ERR_CERT_NOT_YET_VALID:
		return CAUSE_TLS_EXPIRED;
	case X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT:
	case X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN:
	case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT:
	case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY:
	case X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE:
	case X509_V_ERR_CERT_UNTRUSTED:
		return CAUSE_TLS_UNTRUSTED;
	default:
		return CAUSE_TLS_CERTIFICATE;
	}
}

static enum fetch_cause connect_cause(const struct transfer *t)
{
	long error = 0;

	if (t->socket_errno)
		return CAUSE_LOCAL;
	if (t->by_proxy)
		return CAUSE_PROXY;
	curl_easy_getinfo(t->easy, CURLINFO_OS_ERRNO, &error);
	return error == ECONNREFUSED ? CAUSE_REFUSED : CAUSE_UNREACHABLE;
}

static enum fetch_cause cause_of_cut(enum transfer_cut cut)
{
	switch (cut) {
	case CUT_GUARD:
		return CAUSE_GUARD;
	case CUT_HEADER_SIZE:
		return CAUSE_TOO_LARGE;
	case CUT_FIRST_BYTE:
	case CUT_ABORTED:
		return CAUSE_TIMEOUT;
	case CUT_DISK:
		return CAUSE_LOCAL;
	case CUT_LENGTH:
		return CAUSE_NOT_HTTP;
	case CUT_REPEAT:
		return CAUSE_LOST;
	default:
		return CAUSE_NONE;
	}
}

enum fetch_cause failure_cause(const struct transfer *t, CURLcode code)
{
	if (t->cut)
		return cause_of_cut(t->cut);
	switch (code) {
	case CURLE_COULDNT_RESOLVE_PROXY:
	case CURLE_PROXY:
		return CAUSE_PROXY;
	case CURLE_COULDNT_RESOLVE_HOST:
		return CAUSE_DNS_TROUBLE;
	case CURLE_COULDNT_CONNECT:
		return connect_cause(t);
	case CURLE_OPERATION_TIMEDOUT:
		return CAUSE_TIMEOUT;
	case CURLE_PEER_FAILED_VERIFICATION:
		return certificate_cause(t);
	case CURLE_SSL_CONNECT_ERROR:
		return CAUSE_TLS_HANDSHAKE;
	case CURLE_SSL_CACERT_BADFILE:
		return CAUSE_CA_FILE;
	case CURLE_UNSUPPORTED_PROTOCOL:
	case CURLE_WEIRD_SERVER_REPLY:
	case CURLE_HTTP2:
	case CURLE_HTTP2_STREAM:
		return CAUSE_NOT_HTTP;
	case CURLE_FAILED_INIT:
	case CURLE_OUT_OF_MEMORY:
		return CAUSE_LOCAL;
	default:
		return CAUSE_LOST;
	}
}

static const char *words_of_cut(enum transfer_cut cut)
{
	switch (cut) {
	case CUT_HEADER_SIZE:
		return "the header is too long";
	case CUT_FIRST_BYTE:
		return "no answer in time";
	case CUT_ABORTED:
		return "aborted";
	case CUT_DISK:
		return "the spool file cannot be written";
	case CUT_REFUSED:
		return "the body was not wanted";
	case CUT_LENGTH:
		return "two lengths that differ";
	case CUT_REPEAT:
		return "the connection was closed instead of an answer";
	case CUT_GUARD:
		return "address guard: a connection to an address that was not permitted";
	case CUT_DEFERRED:
		return "the host wants to be left alone";
	default:
		return NULL;
	}
}

static bool is_tls(enum fetch_cause cause)
{
	return cause >= CAUSE_TLS_UNTRUSTED && cause <= CAUSE_CA_FILE;
}

struct str failure_words(const struct transfer *t, CURLcode code)
{
	const char *cut = words_of_cut(t->cut);
	const char *said = t->error[0]        ? t->error
			   : code == CURLE_OK ? "the header is not whole"
					      : curl_easy_strerror(code);
	enum fetch_cause cause = failure_cause(t, code);
	const struct fetch_cause_row *row = fetch_cause_of(cause);
	cleanup(buf_release) struct buf b = { 0 };

	if (cut)
		return str_from(cut);
	if (t->socket_errno)
		return arena_copy(t->arena, str_from(strerror(t->socket_errno)));
	if (!is_tls(cause))
		return arena_copy(t->arena, str_from(said));
	buf_add(&b, STR("TLS: "));
	buf_add(&b, t->url.host);
	buf_add(&b, STR(": "));
	buf_add(&b, row->sentence);
	buf_add(&b, STR(" ("));
	buf_add(&b, str_from(said));
	buf_add(&b, STR(")"));
	if (row->option.n > 0) {
		buf_add(&b, STR("; helps: "));
		buf_add(&b, row->option);
	}
	return arena_copy(t->arena, buf_str(&b));
}
