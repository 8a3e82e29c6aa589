#include "base/number.h"

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
