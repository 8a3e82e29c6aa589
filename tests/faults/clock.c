/* Preloaded into PostgreSQL or a program of the service (LD_PRELOAD): the time of day is wrong by
 * as many seconds as the eight bytes of the file FAULT_CLOCK say, from the moment they are written.
 * The monotonic clock is right. */
#include <dlfcn.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static const volatile int64_t *wrong_by;

__attribute__((constructor)) static void clock_open(void)
{
    const char *const file = getenv("FAULT_CLOCK");
    const int fd = file != NULL ? open(file, O_RDONLY | O_CLOEXEC) : -1;

    if (fd < 0)
        return;
    void *p = mmap(NULL, sizeof *wrong_by, PROT_READ, MAP_SHARED, fd, 0);
    close(fd);
    if (p != MAP_FAILED)
        wrong_by = p;
}

static int64_t clock_error(void)
{
    return wrong_by != NULL ? *wrong_by : 0;
}

int clock_gettime(clockid_t clock, struct timespec *out)
{
    const int rc = (int)syscall(SYS_clock_gettime, clock, out);

    if (rc == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE))
        out->tv_sec += clock_error();
    return rc;
}

int gettimeofday(struct timeval *restrict out, void *restrict zone)
{
    struct timespec now;

    (void)zone;
    (void)clock_gettime(CLOCK_REALTIME, &now);
    *out = (struct timeval){ .tv_sec = now.tv_sec, .tv_usec = now.tv_nsec / 1000 };
    return 0;
}

time_t time(time_t *out)
{
    struct timespec now;

    (void)clock_gettime(CLOCK_REALTIME, &now);
    if (out != NULL)
        *out = now.tv_sec;
    return now.tv_sec;
}
