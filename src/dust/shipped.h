/* shipped.h - rules/general.rules, built in, so that it is always at hand. */
#ifndef DUST_SHIPPED_H
#define DUST_SHIPPED_H

#include "base/str.h"

extern const struct str shipped_rules;
#endif
