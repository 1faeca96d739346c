#include "replay/names.h"
#include "test.h"

int main(void)
{
	DONE();
}
