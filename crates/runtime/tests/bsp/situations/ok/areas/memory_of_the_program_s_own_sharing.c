/* An area in a mapping of a file, private or shared, is registered like any other, and the
 * file sees of it what it did before. */
#include "situation.h"
#include <sys/mman.h>
#include <unistd.h>

void situation_memory_of_the_program_s_own_sharing(void)
{
    enum { SIZE = 3 * 4096 };
    unsigned char from[SIZE], read_back[SIZE];
    fill(from, SIZE, me());
    for (int shared = 0; shared <= 1; shared++) {
        FILE *file = tmpfile();
        CHECK(file != NULL && ftruncate(fileno(file), SIZE) == 0);
        unsigned char *area = mmap(NULL, SIZE, PROT_READ | PROT_WRITE,
                                   shared ? MAP_SHARED : MAP_PRIVATE, fileno(file), 0);
        CHECK(area != MAP_FAILED);
        bsp_push_reg(area, SIZE);
        bsp_sync();
        bsp_put(right(), from, area, 0, SIZE);
        bsp_pop_reg(area);
        bsp_sync();
        CHECK(is_filled(area, SIZE, left()));
        CHECK(munmap(area, SIZE) == 0);
        CHECK(pread(fileno(file), read_back, SIZE, 0) == SIZE);
        CHECK(shared ? is_filled(read_back, SIZE, left()) : all_are(read_back, SIZE, 0));
        fclose(file);
    }
}
