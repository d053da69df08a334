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
/* An MPI is about to begin, and the stream has a buffer. */
static int had_buffer;

void cll_bsp_lines_mpi(void);
void cll_bsp_lines_begin(void);
void cll_bsp_lines_end(void);

/* An MPI begins: MPICH takes the buffer away. */
void cll_bsp_lines_mpi(void)
{
    had_buffer = stdout && __fbufsize(stdout) != 1;
}

void cll_bsp_lines_begin(void)
{
    int error = errno;
    /* A program that writes each byte at once has requested that, if it was not its MPI. */
    if (!stdout || (__fbufsize(stdout) == 1 && !had_buffer))
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
