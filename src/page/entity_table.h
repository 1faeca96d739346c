/* entity_table.h - the named character references; made by tools/gen_entities.py. */
#ifndef PAGE_ENTITY_TABLE_H
#define PAGE_ENTITY_TABLE_H

#include <stdint.h>

#define ENTITY_SLOT_BITS 12

extern const uint8_t entity_blob[];
extern const uint16_t entity_slots[];
#endif
