#include "base/number.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void ipr_number_real(double x, char out[IPR_NUMBER_TEXT])
{
    /* Any decimal of at most 15 digits is unchanged by a conversion to double and back, and %g
     * drops trailing zeros: so only 15, 16 and 17 digits are tried. */
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(out, IPR_NUMBER_TEXT, "%.*g", digits, x);
        if (strtod(out, NULL) == x)
            break;
    }
    if (strpbrk(out, ".eEn") == NULL)
        strncat(out, ".0", IPR_NUMBER_TEXT - strlen(out) - 1);
}

void ipr_number_count(double x, char out[IPR_NUMBER_TEXT])
{
    char whole[IPR_NUMBER_TEXT] = "";

    if (fabs(x) <= 1e18)
        snprintf(whole, sizeof whole, "%.0f", fabs(round(x)));
    if (round(x) < 0.0 && whole[0] != '\0')
        *out++ = '-';
    for (size_t n = strlen(whole), i = 0; i < n; i++) {
        *out++ = whole[i];
        if (i + 1 < n && (n - i - 1) % 3 == 0)
            *out++ = ',';
    }
    *out = '\0';
}

void ipr_number_fixed(double x, int digits, char out[IPR_NUMBER_TEXT])
{
    char text[IPR_NUMBER_TEXT - 4] = ""; /* leaves room for the sign */

    if (fabs(x) <= 1e15)
        snprintf(text, sizeof text, "%.*f", digits, fabs(x));
    const bool zero = strpbrk(text, "123456789") == NULL;
    snprintf(out, IPR_NUMBER_TEXT, "%s%s", x < 0.0 && !zero ? "−" : "", text);
}
