/* Compiles as C89 and as C++, with every warning. One sample of each place. */
#include "marked.h"

int main(void)
{
    FRAME(f);
    FRAME(g);
    FRAME(h);
    BEGIN(f, 0, 1, 1);
    BEGIN(g, 1, 1, 0);
    BEGIN(h, 2, 0, 0);
    END(h);
    END(g);
    END(f);
    return cll_is_on() ? 0 : 1;
}
