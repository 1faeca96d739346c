#include "siteapi/said.h"

#include "base/json.h"
#include "os/file.h"

#define OBJECTS_MAX ((size_t)512 << 20)

void site_said_load(struct seen_text *to, const char *objects_path)
{
	cleanup(arena_release) struct arena a = { 0 };
	cleanup(buf_release) struct buf file = { 0 };
	struct str rest, line;

	if (file_load(objects_path, OBJECTS_MAX, &file, NULL) != ST_OK)
		return;
	rest = buf_str(&file);
	while (str_take_line(&rest, &line)) {
		struct json *o = NULL;

		if (str_find(line, STR("\"service\":")) == STR_NONE)
			continue;
		if (json_parse(line, &o, NULL) == ST_OK) {
			struct str text = json_str(json_get(o, "text"));

			seen_text_add(to, seen_text_sample(text, &a));
		}
		json_release(&o);
		arena_reset(&a);
	}
}
