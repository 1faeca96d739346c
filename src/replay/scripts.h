/* scripts.h - what the replay server sends of its own, as text. */
#ifndef REPLAY_SCRIPTS_H
#define REPLAY_SCRIPTS_H

#include "base/str.h"

extern const struct str replay_client; /* client.js */
extern const struct str replay_view;   /* view.html */
#endif
