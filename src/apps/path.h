/*
 * path.h - the part of XPath that patterns are written in.
 *
 *   path      := ("/" | "//") step { ("/" | "//") step } [ "/@" name ]
 *   step      := (name | "*") { "[" condition { "and" condition } "]" }
 *   condition := "@" name [ "=" string ] | "contains(@name, string)" |
 *                "starts-with(@name, string)" | "has-class(string)"
 *
 * has-class() is ours: one of the words of @class.  The rest means what XPath 1.0 says.
 * What is outside is ST_SYNTAX with the character where it stops.  Pure.
 */
#ifndef APPS_PATH_H
#define APPS_PATH_H

#include "base/arena.h"

#define PATH_STEPS_MAX      16
#define PATH_CONDITIONS_MAX 8
#define PATH_BYTES_MAX      1000

enum path_test { TEST_EXISTS, TEST_EQUALS, TEST_CONTAINS, TEST_STARTS, TEST_CLASS };

struct path_condition {
	uint8_t test;     /* enum path_test */
	struct str name;  /* of the attribute, lower case */
	struct str value; /* never empty but for TEST_EXISTS and TEST_EQUALS */
};

struct path_step {
	bool anywhere;   /* below, at any depth */
	struct str name; /* lower case; empty: any element */
	struct path_condition conditions[PATH_CONDITIONS_MAX];
	size_t n_conditions;
};

struct path {
	struct path_step *steps;
	size_t n;
	struct str attr; /* the attribute that is selected; empty: the element */
};

/* Strings are slices of `text` or lie in `a`. */
must_use enum status path_parse(struct str text, struct arena *a, struct path *ret,
				struct diag *why);
#endif
