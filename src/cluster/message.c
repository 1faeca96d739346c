#include "cluster/message.h"

#include "base/hash.h"

#define MESSAGE_VERSION 1

void message_encode(const struct message *m, struct buf *to)
{
	buf_add_u8(to, MESSAGE_VERSION);
	buf_add_u8(to, m->kind);
	buf_add_u64(to, m->node);
	buf_add_varint(to, m->epoch);
	buf_add(to, m->record);
}

enum status message_decode(struct str in, struct message *ret)
{
	struct message m;
	uint8_t version;

	if (!str_take_u8(&in, &version) || version == 0)
		return ST_CORRUPT;
	if (version > MESSAGE_VERSION)
		return ST_UNSUPPORTED;
	if (!str_take_u8(&in, &m.kind) || !str_take_u64(&in, &m.node) ||
	    !str_take_varint(&in, &m.epoch) || m.kind < MESSAGE_FOUND ||
	    m.kind > MESSAGE_OWNER || (m.kind == MESSAGE_OWNER) != (in.n == 0))
		return ST_CORRUPT;
	m.record = in;
	*ret = m;
	return ST_OK;
}

uint32_t cluster_vnode(struct str domain)
{
	return (uint32_t)(hash64(domain) % CLUSTER_VNODES);
}

uint32_t cluster_partition(struct str domain, uint32_t partitions)
{
	return (uint32_t)((uint64_t)cluster_vnode(domain) * partitions / CLUSTER_VNODES);
}
