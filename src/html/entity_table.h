/* entity_table.h - the named character references; made by tools/gen_entities.py. */
#ifndef HTML_ENTITY_TABLE_H
#define HTML_ENTITY_TABLE_H

#include <stdint.h>

#define ENTITY_SLOT_BITS 12

extern const uint8_t entity_blob[];
extern const uint16_t entity_slots[];
#endif
