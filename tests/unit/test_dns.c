#include "dns_server.h"
#include "fetch/dns.h"
#include "test.h"

static struct loop loop;

struct got {
	struct dns_answer answer;
	unsigned times;
};

static void keep(void *arg, const struct dns_answer *a)
{
	struct got *g = arg;

	g->answer = *a;
	g->times++;
}

static void numbers_need_no_server(void)
{
	struct dns *d;
	struct got g = { 0 };

	CHECK(dns_open(&d, &loop, &(struct dns_options){ 0 }, NULL) == ST_OK);
	dns_ask(d, STR("192.0.2.7"), keep, &g);
	CHECK(g.times == 1 && g.answer.n == 1 && g.answer.ips[0].bytes[3] == 7);
	dns_ask(d, STR("[2001:db8::1]"), keep, &g);
	CHECK(g.times == 2 && g.answer.ips[0].n == 16 && dns_asked(d) == 0);
	dns_close(d);
}

static void a_hosts_file_pins_names_with_ports(void)
{
	struct dns *d;
	struct got g = { 0 };
	struct diag why;

	CHECK(dns_open(&d, &loop, &(struct dns_options){ 0 }, NULL) == ST_OK);
	CHECK(dns_pin_file(d,
			   STR("# comment\n127.0.0.2:8080 a.test b.test # both\n\n"
			       "::1\tc.test\r\n"),
			   &why) == ST_OK);
	dns_ask(d, STR("b.test"), keep, &g);
	CHECK(g.answer.n == 1 && g.answer.port == 8080 && g.answer.pinned);
	CHECK(g.answer.ips[0].bytes[3] == 2);
	dns_ask(d, STR("c.test"), keep, &g);
	CHECK(g.answer.ips[0].n == 16 && g.answer.port == 0);
	CHECK(dns_pin_file(d, STR("1.2.3.4 x\nnot-an-address y\n"), &why) == ST_SYNTAX);
	CHECK(str_starts(str_from(why.text), STR("line 2:")));
	dns_close(d);
}

static void one_place_for_all_but_the_pinned(void)
{
	struct dns *d;
	struct got g = { 0 };

	CHECK(dns_open(&d, &loop, &(struct dns_options){ 0 }, NULL) == ST_OK);
	CHECK(dns_pin_file(d, STR("127.0.0.9 special.test\n"), NULL) == ST_OK);
	CHECK(dns_pin_all(d, STR("127.0.0.1:81"), NULL) == ST_OK);
	dns_ask(d, STR("any.test"), keep, &g);
	CHECK(g.answer.port == 81 && g.answer.ips[0].bytes[3] == 1);
	dns_ask(d, STR("special.test"), keep, &g);
	CHECK(g.answer.ips[0].bytes[3] == 9);
	CHECK(dns_pin_all(d, STR("nonsense"), NULL) == ST_SYNTAX);
	CHECK(dns_pin_all(d, STR("127.0.0.1:99999"), NULL) == ST_SYNTAX);
	CHECK(dns_pin_all(d, STR("localhost:80"), NULL) == ST_OK);
	dns_close(d);
}

static void a_name_server_that_is_not_there_is_a_temporary_failure(void)
{
	struct dns *d;
	struct got g = { 0 }, h = { 0 };
	struct dns_options o = { .servers = "127.0.0.1:1",
				 .timeout_ms = 50,
				 .tries = 1,
				 .trouble_ttl_ms = 60000 };

	CHECK(dns_open(&d, &loop, &o, NULL) == ST_OK);
	dns_ask(d, STR("nowhere.example"), keep, &g);
	dns_ask(d, STR("nowhere.example"), keep, &h); /* one question, two answers */
	for (int i = 0; i < 200 && !g.times; i++)
		CHECK(loop_step(&loop, 20, NULL) == ST_OK);
	CHECK(g.times == 1 && h.times == 1 && dns_asked(d) == 1);
	CHECK(g.answer.n == 0 && g.answer.temporary && g.answer.error[0]);
	dns_ask(d, STR("nowhere.example"), keep, &g); /* remembered for a while */
	CHECK(g.times == 2 && dns_asked(d) == 1 && dns_remembered(d) == 1);
	dns_close(d);
}

static void closing_answers_who_still_waits(void)
{
	struct dns *d;
	struct got g = { 0 };
	struct dns_options o = { .servers = "127.0.0.1:1", .timeout_ms = 5000 };

	CHECK(dns_open(&d, &loop, &o, NULL) == ST_OK);
	dns_ask(d, STR("slow.example"), keep, &g);
	dns_close(d);
	CHECK(g.times == 1 && g.answer.n == 0);
}

static struct dns_options own_server(void)
{
	return (struct dns_options){
		.servers = dns_place, .timeout_ms = 30, .tries = 1, .trouble_ttl_ms = 50
	};
}

static bool wait_for(struct got *g, unsigned times)
{
	for (int i = 0; i < 200 && g->times < times; i++)
		if (loop_step(&loop, 20, NULL) != ST_OK)
			return false;
	return g->times == times;
}

static void ask_own(struct dns *d, const char *host, struct got *g)
{
	unsigned before = g->times;

	dns_ask(d, str_from(host), keep, g);
	if (!wait_for(g, before + 1))
		g->times = 0;
}

/* Whether the name exists is one thing, whether a server would say so is another. */
static void trouble_is_told_apart_from_names_that_do_not_exist(void)
{
	static const struct {
		const char *host;
		bool temporary;
	} cases[] = {
		{ "nxdomain.example", false }, { "empty.example", false },
		{ "servfail.example", true },  { "refused.example", true },
		{ "silent.example", true },    { "garbage.example", true },
		{ "cut.example", true },       { "wrongid.example", true },
		{ "half.example", true },
	};
	struct dns_options o = own_server();
	struct dns *d;

	CHECK(dns_open(&d, &loop, &o, NULL) == ST_OK);
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct got g = { 0 };

		ask_own(d, cases[i].host, &g);
		printf("# %s: %s\n", cases[i].host, g.answer.error);
		CHECK(g.times == 1 && g.answer.n == 0 && g.answer.error[0]);
		CHECK(g.answer.temporary == cases[i].temporary);
	}
	dns_close(d);
}

static void after_a_hiccup_the_name_is_found_again(void)
{
	struct dns_options o = own_server();
	struct got g = { 0 };
	struct dns *d;

	CHECK(dns_open(&d, &loop, &o, NULL) == ST_OK);
	dns_failure = DNS_REFUSES;
	ask_own(d, "hiccup.example", &g);
	CHECK(g.answer.n == 0 && g.answer.temporary);
	dns_failure = DNS_ANSWERS;
	for (int i = 0; i < 100 && g.answer.n == 0; i++) {
		CHECK(loop_step(&loop, 10, NULL) == ST_OK);
		ask_own(d, "hiccup.example", &g);
	}
	CHECK(g.answer.n == 1 && !g.answer.temporary);
	dns_close(d);
}

static void that_a_name_does_not_exist_is_remembered_longer(void)
{
	struct dns_options o = own_server();
	struct got g = { 0 };
	struct dns *d;

	CHECK(dns_open(&d, &loop, &o, NULL) == ST_OK);
	ask_own(d, "nxdomain.again.example", &g);
	uint64_t asked = dns_asked(d);
	for (int i = 0; i < 10; i++)
		CHECK(loop_step(&loop, 10, NULL) == ST_OK);
	ask_own(d, "nxdomain.again.example", &g);
	CHECK(g.times == 2 && dns_asked(d) == asked && !g.answer.temporary);
	dns_close(d);
}

int main(void)
{
	if (!dns_server_start() || loop_init(&loop, &real_clock, NULL) != ST_OK)
		return 1;
	RUN(numbers_need_no_server);
	RUN(a_hosts_file_pins_names_with_ports);
	RUN(one_place_for_all_but_the_pinned);
	RUN(a_name_server_that_is_not_there_is_a_temporary_failure);
	RUN(closing_answers_who_still_waits);
	RUN(trouble_is_told_apart_from_names_that_do_not_exist);
	RUN(after_a_hiccup_the_name_is_found_again);
	RUN(that_a_name_does_not_exist_is_remembered_longer);
	loop_release(&loop);
	DONE();
}
