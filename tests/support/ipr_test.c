#include "ipr_test.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

void ipr_test_close(double got, double want, double tol, const char *file, int line)
{
    if (fabs(got - want) <= tol)
        return;
    print_error("%.17g is not within %g of %.17g\n", got, tol, want);
    _fail(file, line);
}

void ipr_test_ok(enum ipr_code rc, const struct ipr_err *err, const char *file, int line)
{
    if (rc == IPR_OK)
        return;
    print_error("%s: %s\n", ipr_code_name(rc), err != NULL ? err->msg : "");
    _fail(file, line);
}

const char *ipr_test_shared(const char *relative)
{
    static char path[512];
    const char *root = getenv("IPR_SHARED");

    snprintf(path, sizeof path, "%s/%s", root != NULL ? root : "../shared", relative);
    if (access(path, R_OK) == 0)
        return path;
    print_message("skipped: %s is absent\n", path);
    return NULL;
}
