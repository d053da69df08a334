/* bsp.h for programs of PUB: `cll cc -pub` finds it before BSPlib's. */
#include <pub.h>
