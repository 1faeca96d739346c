#include "httpd/listen.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>

#include "os/file.h"

#define TOKEN_BYTES    32 /* of randomness */
#define TOKEN_CHARS    16 /* fewer are no token */
#define TOKEN_FILE_MAX 4096

enum status listen_parse(struct str listen, struct sockaddr_in *ret, struct diag *why)
{
	size_t colon = str_rfind_char(listen, ':');
	uint64_t port = 0;
	char address[64];

	*ret = (struct sockaddr_in){ .sin_family = AF_INET };
	snprintf(address, sizeof(address), STR_FMT, STR_ARG(str_slice(listen, 0, colon)));
	if (strcmp(address, "localhost") == 0 || address[0] == '\0')
		snprintf(address, sizeof(address), "127.0.0.1");
	if (colon == STR_NONE ||
	    !str_to_uint(str_skip(listen, colon + 1), 65535, &port) ||
	    inet_pton(AF_INET, address, &ret->sin_addr) != 1)
		return diag_fail(why, ST_SYNTAX,
				 "'" STR_FMT "' is no address to listen on: "
				 "IPV4-ADDRESS:PORT is wanted",
				 (int)MIN(listen.n, 60), listen.p);
	ret->sin_port = htons((uint16_t)port);
	return ST_OK;
}

bool listen_is_loopback(const struct sockaddr_in *at)
{
	return ntohl(at->sin_addr.s_addr) >> 24 == 127;
}

enum status listen_load_token(const char *path, struct buf *ret, struct diag *why)
{
	unsigned char random[TOKEN_BYTES];

	if (file_exists(path)) {
		TRY(file_load(path, TOKEN_FILE_MAX, ret, why));
		while (ret->n > 0 && ascii_is_space(ret->p[ret->n - 1]))
			ret->n--;
		if (ret->n >= TOKEN_CHARS)
			return ST_OK;
		buf_reset(ret);
	}
	if (getrandom(random, sizeof(random), 0) != (ssize_t)sizeof(random))
		return diag_fail(why, ST_IO, "no randomness for a token");
	for (size_t i = 0; i < sizeof(random); i++)
		buf_addf(ret, "%02x", random[i]);
	return file_save_private(path, buf_str(ret), why);
}
