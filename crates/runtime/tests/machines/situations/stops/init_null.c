/* Init needs a machine object. */
// expect: bsplib_init at {here}: the machine object is a null pointer
#include <pub.h>

int main(void)
{
    bsplib_init(BSPLIB_STDPARAMS, NULL); /* here */
    bsplib_done();
    return 0;
}
