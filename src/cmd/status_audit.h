/* status_audit.h - the final states of all URLs of a crawl, from its journal. */
#ifndef CMD_STATUS_AUDIT_H
#define CMD_STATUS_AUDIT_H

/* Prints them; an exit code. */
int status_audit(const char *dir);
#endif
