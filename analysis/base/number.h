#ifndef IPR_BASE_NUMBER_H
#define IPR_BASE_NUMBER_H

/* Numbers as text: the shortest decimal that reads back as the same double, so that 0.1 is "0.1"
 * and not the seventeen digits jansson 2.14 writes; and numbers as people read them. */

#define IPR_NUMBER_TEXT 32

/** A finite real keeps a point or an exponent, as in JSON text by jansson: 3.0 is "3.0". */
void ipr_number_real(double x, char out[IPR_NUMBER_TEXT]);

/** The nearest whole number, in groups of three digits with commas: "334,233". Beyond 1e18: "". */
void ipr_number_count(double x, char out[IPR_NUMBER_TEXT]);

/** With fixed decimals (9 at most), as people read it: "−0.30", and no sign on what rounds to 0.
 * Beyond 1e15: "". */
void ipr_number_fixed(double x, int digits, char out[IPR_NUMBER_TEXT]);

#endif
