#include "fetch/dns.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct str text = { (const char *)data, size };
	struct loop loop;
	struct dns *d;
	struct diag why;

	if (loop_init(&loop, &real_clock, NULL) != ST_OK)
		return 0;
	if (dns_open(&d, &loop, &(struct dns_options){ 0 }, NULL) == ST_OK) {
		(void)!dns_pin_file(d, text, &why);
		(void)!dns_pin_all(d, text, &why);
		dns_close(d);
	}
	loop_release(&loop);
	return 0;
}
