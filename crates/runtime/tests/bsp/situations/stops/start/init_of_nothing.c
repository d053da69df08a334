/* bsp_init must be given a function. */
// expect: bsp_init at {here}: .. null
#include <bsp.h>

int main(int argc, char **argv)
{
    bsp_init(NULL, argc, argv); /* here */
    return 0;
}
