#include "render/need.h"
#include "test.h"

int main(void)
{
	DONE();
}
