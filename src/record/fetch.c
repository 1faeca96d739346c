#include "record/fetch.h"

struct str truncation_name(enum truncation t)
{
	switch (t) {
	case TRUNCATED_LENGTH:
		return STR("length");
	case TRUNCATED_TIME:
		return STR("time");
	case TRUNCATED_DISCONNECT:
		return STR("disconnect");
	case TRUNCATED_UNSPECIFIED:
		return STR("unspecified");
	default:
		return STR("");
	}
}

const struct fetch_cause_row *fetch_cause_of(enum fetch_cause cause)
{
#define ROW(name, sentence, option, may_pass)                                   \
	{                                                                       \
		{ name, sizeof(name) - 1 }, { sentence, sizeof(sentence) - 1 }, \
			{ option, sizeof(option) - 1 }, may_pass                \
	}
	static const struct fetch_cause_row rows[CAUSES] = {
		[CAUSE_NONE] = ROW("none", "", "", false),
		[CAUSE_NO_NAME] = ROW("no-name", "there is no such name", "", false),
		[CAUSE_DNS_TROUBLE] =
			ROW("dns-trouble", "the name servers gave no usable answer",
			    "--dns", true),
		[CAUSE_GUARD] = ROW("guard", "the address is not public",
				    "--allow-private", false),
		[CAUSE_REFUSED] = ROW("refused", "nothing listens there", "", true),
		[CAUSE_UNREACHABLE] =
			ROW("unreachable", "there is no way to the address", "", true),
		[CAUSE_TIMEOUT] = ROW("timeout", "no answer in time", "", true),
		[CAUSE_LOST] = ROW("lost", "the connection ended before the answer did",
				   "", true),
		[CAUSE_NOT_HTTP] =
			ROW("not-http", "what came is no valid HTTP answer", "", true),
		[CAUSE_TOO_LARGE] = ROW("too-large", "the header is too long", "", false),
		[CAUSE_TLS_UNTRUSTED] = ROW(
			"tls-untrusted", "no known authority has signed the certificate",
			"--ca-file or --insecure", false),
		[CAUSE_TLS_EXPIRED] =
			ROW("tls-expired", "the certificate is expired or not yet valid",
			    "--insecure", false),
		[CAUSE_TLS_WRONG_NAME] =
			ROW("tls-wrong-name", "the certificate is for another host",
			    "--insecure", false),
		[CAUSE_TLS_CERTIFICATE] =
			ROW("tls-certificate", "the certificate is not acceptable",
			    "--insecure", false),
		[CAUSE_TLS_HANDSHAKE] =
			ROW("tls-handshake", "the TLS handshake failed", "", true),
		[CAUSE_CA_FILE] =
			ROW("ca-file", "the file of certificates cannot be read",
			    "--ca-file", false),
		[CAUSE_PROXY] = ROW("proxy", "the proxy cannot be reached or refuses",
				    "--proxy", true),
		[CAUSE_LOCAL] =
			ROW("local", "this machine failed: disk or memory", "", true),
	};
#undef ROW

	return &rows[cause < CAUSES ? cause : CAUSE_NONE];
}
