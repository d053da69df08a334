/* bsp_abort. It is in C because stable Rust cannot define a variadic function. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

void cll_bsp_stop_text(const char *text) __attribute__((__noreturn__));
void cll_bsp_abort_va(const char *format, va_list arguments) __attribute__((__noreturn__));
void cll_bsp_abort(const char *format, ...) __attribute__((__noreturn__));
void cll_pub_abort(const void *machine, const char *format, ...) __attribute__((__noreturn__));

void cll_bsp_abort_va(const char *format, va_list arguments)
{
    char room[1024];
    char *text = room;
    va_list again;
    int length;
    if (!format)
        cll_bsp_stop_text("");
    va_copy(again, arguments);
    length = vsnprintf(room, sizeof room, format, arguments);
    if (length < 0)
        cll_bsp_stop_text(format); /* if it cannot be formatted, print the format */
    if ((size_t)length >= sizeof room && (text = malloc((size_t)length + 1)))
        vsnprintf(text, (size_t)length + 1, format, again);
    va_end(again);
    cll_bsp_stop_text(text ? text : room);
}

/* bsp_abort of pub.h: the machine object does not matter. */
void cll_pub_abort(const void *machine, const char *format, ...)
{
    va_list arguments;
    (void)machine;
    va_start(arguments, format);
    cll_bsp_abort_va(format, arguments);
}

void cll_bsp_abort(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    cll_bsp_abort_va(format, arguments);
}
