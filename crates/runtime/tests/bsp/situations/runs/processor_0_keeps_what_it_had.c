/* The caller of bsp_begin becomes processor 0 with all its state: variables, heap, open files. */
// output: read 1, then 2 and 3
#include <bsp.h>
#include <stdlib.h>

static FILE *numbers;
static int first, second, third;

static void spmd(void)
{
    bsp_begin(bsp_nprocs());
    if (bsp_pid() == 0 && fscanf(numbers, "%d", &second) != 1)
        bsp_abort("the file is lost");
    bsp_sync();
    bsp_end();
}

int main(int argc, char **argv)
{
    bsp_init(spmd, argc, argv);
    numbers = tmpfile();
    fputs("1 2 3", numbers);
    rewind(numbers);
    if (fscanf(numbers, "%d", &first) != 1)
        return 1;
    spmd();
    if (fscanf(numbers, "%d", &third) != 1)
        return 1;
    printf("read %d, then %d and %d\n", first, second, third);
    return 0;
}
