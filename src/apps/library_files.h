/*
 * library_files.h - descriptions from a folder, and their compiled form beside them.
 */
#ifndef APPS_LIBRARY_FILES_H
#define APPS_LIBRARY_FILES_H

#include "apps/library.h"

/* The compiled form, in the folder of the descriptions. */
#define LIBRARY_COMPILED "compiled.apps"

/*
 * The shipped descriptions, and those of `dir` (NULL for none): *.xml.  A compiled form
 * there is used when it fits.  What cannot be read is in `problems`; only a folder that
 * cannot be read is a failure.
 */
must_use enum status library_load(struct app_library *l, const char *dir,
				  bool without_shipped, struct diag *why);
/* Write the compiled form into `dir`. */
must_use enum status library_store(const struct app_library *l, const char *dir,
				   struct diag *why);
#endif
