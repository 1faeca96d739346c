/*
 * controls.h - what a person can click or fill in on a page, as hashes.
 *
 * Links, buttons, fields, summaries, and elements with onclick or a role of a control.
 * A control is its element, type, name, address, role, handler and label; ids and classes
 * are not looked at, since frameworks make them up.  Two pages with the same set offer
 * the same ways on: who has crawled one has missed nothing of the other.  Pure.
 */
#ifndef HTML_CONTROLS_H
#define HTML_CONTROLS_H

#include "base/arena.h"

/* Ascending, without repetition; at most `max`.  Lives in the arena. */
void controls_set(struct str html, size_t max, struct arena *a, uint64_t **ret,
		  size_t *ret_n);
#endif
