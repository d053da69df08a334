/* Standard output by lines while there are several processors: each line is one write, so that lines of
 * several processes are not mixed. */
#include <errno.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <unistd.h>

/* Lines up to this length are one write. */
static char room[1 << 16];
/* The stream was written in full buffers before. */
static int in_blocks;

void cll_bsp_lines_begin(void);
void cll_bsp_lines_end(void);

void cll_bsp_lines_begin(void)
{
    int error = errno;
    /* A program that writes each byte at once has requested that. */
    if (!stdout || __fbufsize(stdout) == 1)
        return;
    /* Until its first use a stream does not know whether it leads to a terminal. */
    in_blocks = !__flbf(stdout) && (__fbufsize(stdout) > 0 || !isatty(fileno(stdout)));
    errno = error;
    fflush(stdout);
    setvbuf(stdout, room, _IOLBF, sizeof room);
}

/* Processor 0 is alone again. */
void cll_bsp_lines_end(void)
{
    if (!stdout || !in_blocks || !__flbf(stdout))
        return;
    in_blocks = 0;
    fflush(stdout);
    setvbuf(stdout, room, _IOFBF, sizeof room);
}
