/*
 * limits.h - how many descriptors the system lets us have.
 */
#ifndef OS_LIMITS_H
#define OS_LIMITS_H

#include <stddef.h>

/* Raise the number of open files to what the system allows.  Once, at the start. */
void limits_raise_files(void);
/* How many may be open at once; never 0. */
size_t limits_files(void);
#endif
