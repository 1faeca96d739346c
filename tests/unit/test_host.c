#include "test.h"
#include "url/host.h"

static enum ip_kind kind_of(const char *host)
{
	struct ip ip;

	if (!host_to_ip(str_from(host), &ip))
		return (enum ip_kind) - 1;
	return ip_kind(&ip);
}

static void addresses_are_classified(void)
{
	static const struct {
		const char *host;
		enum ip_kind kind;
	} rows[] = {
		{ "8.8.8.8", IP_PUBLIC },
		{ "0.0.0.0", IP_UNSPECIFIED },
		{ "0.1.2.3", IP_UNSPECIFIED },
		{ "10.255.255.255", IP_PRIVATE },
		{ "11.0.0.0", IP_PUBLIC },
		{ "100.63.255.255", IP_PUBLIC },
		{ "100.64.0.1", IP_PRIVATE },
		{ "100.127.255.255", IP_PRIVATE },
		{ "100.128.0.0", IP_PUBLIC },
		{ "127.200.1.1", IP_LOOPBACK },
		{ "169.254.169.254", IP_METADATA },
		{ "169.254.1.1", IP_LINK_LOCAL },
		{ "100.100.100.200", IP_METADATA },
		{ "172.15.0.1", IP_PUBLIC },
		{ "172.31.0.1", IP_PRIVATE },
		{ "172.32.0.1", IP_PUBLIC },
		{ "192.168.0.1", IP_PRIVATE },
		{ "198.19.0.1", IP_RESERVED },
		{ "203.0.113.9", IP_RESERVED },
		{ "224.0.0.1", IP_MULTICAST },
		{ "255.255.255.255", IP_RESERVED },
		{ "[::]", IP_UNSPECIFIED },
		{ "[::1]", IP_LOOPBACK },
		{ "[::ffff:7f00:1]", IP_LOOPBACK },
		{ "[::ffff:a9fe:a9fe]", IP_METADATA },
		{ "[::ffff:808:808]", IP_PUBLIC },
		{ "[::7f00:1]", IP_LOOPBACK },
		{ "[64:ff9b::c0a8:1]", IP_PRIVATE },
		{ "[64:ff9b:1::1]", IP_PRIVATE },
		{ "[2002:a00:1::]", IP_PRIVATE },
		{ "[2001:0:1::2]", IP_RESERVED },
		{ "[fd00:ec2::254]", IP_METADATA },
		{ "[fd12::1]", IP_PRIVATE },
		{ "[fe80::1]", IP_LINK_LOCAL },
		{ "[ff02::1]", IP_MULTICAST },
		{ "[2001:db8::1]", IP_RESERVED },
		{ "[2606:4700::1]", IP_PUBLIC },
		{ "[4000::1]", IP_RESERVED },
		{ "[1::1]", IP_RESERVED },
	};

	for (size_t i = 0; i < COUNT(rows); i++) {
		if (kind_of(rows[i].host) != rows[i].kind)
			printf("# %s\n", rows[i].host);
		CHECK(kind_of(rows[i].host) == rows[i].kind);
	}
}

static void names_are_no_addresses(void)
{
	struct ip ip;

	CHECK(!host_to_ip(STR("example.com"), &ip));
	CHECK(!host_to_ip(STR("1.2.3.example"), &ip));
	CHECK(!host_to_ip(STR("[::1"), &ip));
	CHECK(!host_to_ip(STR(""), &ip));
	CHECK(!host_to_ip(STR("1.2.3.4.5"), &ip));
}

static void a_name_lies_within_its_domain(void)
{
	CHECK(host_within(STR("a.b.example"), STR("example")));
	CHECK(host_within(STR("example"), STR("example")));
	CHECK(host_within(STR("b.example."), STR("b.example")));
	CHECK(!host_within(STR("aexample"), STR("example")));
	CHECK(!host_within(STR("example.com"), STR("example")));
	CHECK(!host_within(STR("example"), STR("")));
	CHECK(host_is_local_name(STR("localhost")));
	CHECK(host_is_local_name(STR("metadata.google.internal")));
	CHECK(!host_is_local_name(STR("localhost.example.com")));
}

static void ipv6_prints_its_shortest_form(void)
{
	static const struct {
		const char *in, *out;
	} rows[] = {
		{ "0:0:0:0:0:0:0:0", "::" },
		{ "1:0:0:0:0:0:0:0", "1::" },
		{ "0:0:0:0:0:0:0:1", "::1" },
		{ "1:0:0:2:0:0:3:4", "1::2:0:0:3:4" },
		{ "1:0:2:3:4:5:6:7", "1:0:2:3:4:5:6:7" },
		{ "00ab::", "ab::" },
		{ "0:1:0:0:0:0:0:0", "0:1::" },
	};

	for (size_t i = 0; i < COUNT(rows); i++) {
		cleanup(buf_release) struct buf b = { 0 };
		struct ip ip;

		CHECK(ipv6_parse(str_from(rows[i].in), &ip) == ST_OK);
		buf_add_ip(&b, &ip);
		CHECK(str_eq(buf_str(&b), str_from(rows[i].out)));
	}
}

static void www_in_front_is_no_other_site(void)
{
	CHECK(str_eq(host_without_www(STR("www.a.org")), STR("a.org")));
	CHECK(str_eq(host_without_www(STR("www2.www.a.org")), STR("a.org")));
	CHECK(str_eq(host_without_www(STR("www.a.org:81")), STR("a.org:81")));
	CHECK(str_eq(host_without_www(STR("www.com")), STR("www.com")));
	CHECK(str_eq(host_without_www(STR("wwwa.org")), STR("wwwa.org")));
	CHECK(str_eq(host_without_www(STR("a.org")), STR("a.org")));
}

int main(void)
{
	RUN(www_in_front_is_no_other_site);
	RUN(addresses_are_classified);
	RUN(names_are_no_addresses);
	RUN(a_name_lies_within_its_domain);
	RUN(ipv6_prints_its_shortest_form);
	DONE();
}
