/* noise.h - what differs between two answers for the same page. */
#ifndef TESTWEB_NOISE_H
#define TESTWEB_NOISE_H

enum noise {
	NOISE_TIME = 1 << 0,     /* "Page generated 2026-11-15 02:43:18" */
	NOISE_COUNTER = 1 << 1,  /* "12,345 views", "37 users online" */
	NOISE_ADS = 1 << 2,      /* another advertisement each time */
	NOISE_TOKEN = 1 << 3,    /* csrf tokens, nonces, build ids */
	NOISE_ECHO = 1 << 4,     /* the requested URL in the page */
	NOISE_ROTATION = 1 << 5, /* navigation and "see also" in changing order */
};
#define NOISES 6
extern const char *const noise_names[NOISES];
#endif
