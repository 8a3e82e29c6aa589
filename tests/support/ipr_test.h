#ifndef IPR_TEST_H
#define IPR_TEST_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/error.h"

/* |got - want| <= tol, both values printed when not. NaN never passes. */
#define assert_close(got, want, tol) ipr_test_close((got), (want), (tol), __FILE__, __LINE__)
void ipr_test_close(double got, double want, double tol, const char *file, int line);

/* The call succeeded; the error's text is printed when not. */
#define assert_ok(rc, err) ipr_test_ok((rc), (err), __FILE__, __LINE__)
void ipr_test_ok(enum ipr_code rc, const struct ipr_err *err, const char *file, int line);

/* Path of a file under ../shared (or IPR_SHARED), or NULL where that folder is absent: a test
 * that needs it then calls skip() after saying its name. */
const char *ipr_test_shared(const char *relative);

#endif
