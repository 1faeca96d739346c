#include "testweb/control.h"

#include "testweb/link.h"

void address_write(uint32_t address, struct buf *to)
{
	buf_addf(to, "%u.%u.%u.%u", address >> 24, address >> 16 & 255,
		 address >> 8 & 255, address & 255);
}

void seeds_write(const struct world *w, uint64_t hosts, struct buf *to)
{
	uint64_t n = 0;

	for (uint32_t i = 0; i < w->n_sites && (hosts == 0 || n < hosts); i++) {
		struct place p = { .site = i, .view = VIEW_FRONT };

		if (w->sites[i].origin != i || w->sites[i].flags & SITE_CLOSED)
			continue;
		link_write(w, &p, true, to);
		buf_add_char(to, '\n');
		n++;
	}
}

void hosts_write(const struct world *w, uint16_t port, struct buf *to)
{
	for (uint32_t i = 0; i < w->n_sites; i++) {
		struct str name = site_name(&w->sites[i]);

		address_write(w->sites[i].address, to);
		if (port)
			buf_addf(to, ":%u", port);
		buf_addf(to, " " STR_FMT " www." STR_FMT " m." STR_FMT, STR_ARG(name),
			 STR_ARG(name), STR_ARG(name));
		if (w->sites[i].flags & SITE_SUBDOMAIN)
			buf_addf(to, " %s." STR_FMT, site_sub_label(&w->sites[i]),
				 STR_ARG(name));
		buf_add_char(to, '\n');
	}
}

void control_make(struct world *w, struct memory *m, const struct asked *asked,
		  struct answer *a)
{
	struct str path = asked->request.target;
	uint64_t day;

	a->type = STR("text/plain; charset=utf-8");
	if (str_take_prefix(&path, STR("/.testweb/day/")) &&
	    str_to_uint(path, 100000, &day)) {
		w->options.day = day;
		buf_addf(&a->body, "day %llu\n", (unsigned long long)day);
	} else if (str_eq(path, STR("/.testweb/reset"))) {
		memory_reset(m, w);
		buf_add(&a->body, STR("reset\n"));
	} else if (str_eq(path, STR("/.testweb/stats"))) {
		buf_addf(&a->body, "requests %llu\nday %llu\n",
			 (unsigned long long)m->count,
			 (unsigned long long)w->options.day);
	} else if (str_eq(path, STR("/.testweb/hosts"))) {
		hosts_write(w, 0, &a->body);
	} else if (str_eq(path, STR("/")) || str_eq(path, STR("/.testweb/seeds"))) {
		seeds_write(w, 0, &a->body);
	} else if (str_eq(path, STR("/robots.txt"))) {
		buf_add(&a->body, STR("User-agent: *\nDisallow: /\n"));
	} else {
		a->status = 404;
		buf_add(&a->body, STR("no such host or page in this web\n"));
	}
}
