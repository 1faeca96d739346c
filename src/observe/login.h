/*
 * login.h - cookies of a session that somebody else began.
 *
 * A file in the format of Netscape (curl, wget), or JSON: the storage state of
 * Playwright, or a list of cookies as DevTools knows them.  Becomes the parameters of
 * Network.setCookies, which every new tab gets.  Pure but for reading the file.
 */
#ifndef OBSERVE_LOGIN_H
#define OBSERVE_LOGIN_H

#include "base/json.h"

/* Parameters for Network.setCookies out of the text of such a file. */
must_use enum status login_parse(struct str text, struct buf *ret, struct diag *why);
must_use enum status login_load(const char *path, struct buf *ret, struct diag *why);
#endif
