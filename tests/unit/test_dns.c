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
	struct dns_options o = { .servers = "127.0.0.1:1", .timeout_ms = 50, .tries = 1 };

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

int main(void)
{
	if (loop_init(&loop, &real_clock, NULL) != ST_OK)
		return 1;
	RUN(numbers_need_no_server);
	RUN(a_hosts_file_pins_names_with_ports);
	RUN(one_place_for_all_but_the_pinned);
	RUN(a_name_server_that_is_not_there_is_a_temporary_failure);
	RUN(closing_answers_who_still_waits);
	loop_release(&loop);
	DONE();
}
