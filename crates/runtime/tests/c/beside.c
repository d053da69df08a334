/* Beside another library in Rust. */
#include "marked.h"

extern cll_u64 other_runtime(cll_u64 value);

int main(void)
{
    FRAME(f);
    BEGIN(f, 0, 1, 1);
    if (other_runtime(7) != 3)
        return 1;
    END(f);
    return 0;
}
