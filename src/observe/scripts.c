#include "observe/scripts.h"

void script_add(struct buf *to, struct str script)
{
	buf_add(to, STR("((dom) => ((facts) => ((find) => "));
	buf_add(to, script);
	buf_add(to, STR(")("));
	buf_add(to, script_find);
	buf_add(to, STR("))(("));
	buf_add(to, script_facts);
	buf_add(to, STR(")(dom)))("));
	buf_add(to, script_dom);
	buf_add_char(to, ')');
}
