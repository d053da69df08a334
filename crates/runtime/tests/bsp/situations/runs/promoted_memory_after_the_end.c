/* Areas stay the program's memory after bsp_end, registered or not: content, free, realloc. */
// output: as it was
#include <bsp.h>
#include <stdlib.h>
#include <string.h>

static char global_area[50000];

int main(void)
{
    char *block = malloc(50000), stack[50000];
    bsp_begin(bsp_nprocs());
    memset(block, 'a', 50000);
    memset(global_area, 'b', 50000);
    memset(stack, 'c', 50000);
    bsp_push_reg(block, 50000);
    bsp_push_reg(global_area, 50000);
    bsp_push_reg(stack, 50000);
    bsp_sync();
    bsp_put(0, "x", block, 20000, 1);
    bsp_put(0, "y", global_area, 20000, 1);
    bsp_put(0, "z", stack, 20000, 1);
    bsp_sync();
    bsp_end();
    block = realloc(block, 5000000);
    memset(block + 50000, 'd', 4950000);
    int right = block[0] == 'a' && block[20000] == 'x' && block[49999] == 'a' &&
                global_area[0] == 'b' && global_area[20000] == 'y' && global_area[49999] == 'b' &&
                stack[0] == 'c' && stack[20000] == 'z' && stack[49999] == 'c';
    free(block);
    puts(right ? "as it was" : "WRONG");
    return 0;
}
