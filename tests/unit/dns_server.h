/*
 * dns_server.h - a name server of our own on loopback, that fails as it is told.
 *
 * It fails in one of its ways for every question while `dns_failure` says so, or for a
 * name whose first label is the name of a failure ("refused.example").  Otherwise a
 * name has `dns_address`; below "many." eight public IPv6 addresses that nobody owns.
 */
#ifndef DNS_SERVER_H
#define DNS_SERVER_H

#include <netinet/in.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>

enum dns_way {
	DNS_ANSWERS,
	DNS_NXDOMAIN, /* no such name */
	DNS_EMPTY,    /* the name is there, an address is not */
	DNS_SERVFAIL, /* the server could not find out */
	DNS_REFUSES,  /* the server does not want to */
	DNS_SILENT,   /* nothing comes back */
	DNS_GARBAGE,  /* bytes that are no message */
	DNS_CUT,      /* a message that ends in its middle */
	DNS_WRONG_ID, /* the answer to somebody else's question */
	DNS_HALF,     /* fails for IPv4, has nothing for IPv6 */
	DNS_WAYS
};

static const char *const dns_way_names[DNS_WAYS] = {
	"answers", "nxdomain", "empty", "servfail", "refused",
	"silent",  "garbage",  "cut",   "wrongid",  "half",
};

static _Atomic int dns_failure;                    /* enum dns_way, of all names */
static _Atomic uint32_t dns_address = 0x7f000001u; /* of all names */
static _Atomic int dns_questions;
static int dns_socket;
static char dns_place[32]; /* "127.0.0.1:PORT" */

static int dns_way_of(const uint8_t *label)
{
	for (int i = 1; i < DNS_WAYS; i++)
		if (label[0] == strlen(dns_way_names[i]) &&
		    strncasecmp((const char *)label + 1, dns_way_names[i], label[0]) == 0)
			return i;
	return dns_failure;
}

static size_t dns_add_record(uint8_t *to, int type, const void *data, uint16_t n)
{
	uint8_t head[12] = {
		0xc0, 12, 0, (uint8_t)type, 0, 1, 0, 0, 0, 1, 0, (uint8_t)n
	};

	memcpy(to, head, 12);
	memcpy(to + 12, data, n);
	return 12u + n;
}

/* `q` is the question with its head, `n` bytes; the answer is written behind it. */
static size_t dns_reply(uint8_t *q, size_t n)
{
	size_t end = 12;
	int way = dns_way_of(q + 12);
	bool many = q[12] == 4 && strncasecmp((const char *)q + 13, "many", 4) == 0;

	while (end < n && q[end])
		end += 1u + q[end];
	int type = q[end + 2];
	end += 5;
	q[2] = 0x81, q[3] = 0x80; /* an answer; recursion is there */
	q[6] = q[7] = q[8] = q[9] = q[10] = q[11] = 0;
	if (way == DNS_HALF)
		way = type == 1 ? DNS_SERVFAIL : DNS_EMPTY;
	q[3] |= way == DNS_NXDOMAIN   ? 3
		: way == DNS_SERVFAIL ? 2
		: way == DNS_REFUSES  ? 5
				      : 0;
	if (way == DNS_WRONG_ID)
		q[0] ^= 0x55;
	if (way == DNS_GARBAGE)
		memset(q, 0xff, end);
	if (way == DNS_CUT)
		q[7] = 1, end += dns_add_record(q + end, 1, "\0\0\0\0", 4) - 9;
	if (way != DNS_ANSWERS && way != DNS_WRONG_ID)
		return way == DNS_SILENT ? 0 : end;
	if (many && type == 28)
		for (uint8_t i = 0; i < 8; i++) {
			uint8_t ip[16] = { 0x2d, 0x00, 0x11, 0x11, 0x22, 0x22, 0x33, 0x33,
					   0x44, 0x44, 0x55, 0x55, 0x66, 0x66, 0x77, i };

			q[7]++;
			end += dns_add_record(q + end, 28, ip, 16);
		}
	if (!many && type == 1) {
		uint32_t ip = htonl(dns_address);

		q[7] = 1;
		end += dns_add_record(q + end, 1, &ip, 4);
	}
	return end;
}

static void *dns_serve(void *unused)
{
	uint8_t message[2048];
	struct sockaddr_in from;
	socklen_t size = sizeof(from);
	ssize_t n;

	(void)unused;
	while ((n = recvfrom(dns_socket, message, 512, 0, (struct sockaddr *)&from,
			     &size)) >= 0) {
		if (n < 17)
			continue;
		dns_questions++;
		size_t reply = dns_reply(message, (size_t)n);
		if (reply > 0)
			sendto(dns_socket, message, reply, 0, (struct sockaddr *)&from,
			       size);
		size = sizeof(from);
	}
	return NULL;
}

static bool dns_server_start(void)
{
	struct sockaddr_in a = { .sin_family = AF_INET,
				 .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	socklen_t n = sizeof(a);
	pthread_t thread;

	dns_socket = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	if (bind(dns_socket, (struct sockaddr *)&a, n) != 0 ||
	    getsockname(dns_socket, (struct sockaddr *)&a, &n) != 0 ||
	    pthread_create(&thread, NULL, dns_serve, NULL) != 0)
		return false;
	snprintf(dns_place, sizeof(dns_place), "127.0.0.1:%u", ntohs(a.sin_port));
	return true;
}
#endif
