#ifndef IPR_PROMETHEUS_H
#define IPR_PROMETHEUS_H

/* A strict reader of the Prometheus text format 0.0.4: families whole and declared once, HELP and
 * TYPE before their samples, names and labels of their grammar, histograms that add up. */

/** Reads all of it, failing the test at the first fault. Returns the number of families. */
int ipr_prometheus_read(const char *text);

/** Value of a sample by its name with labels, exactly as written; fails the test without it. */
double ipr_prometheus_value(const char *text, const char *sample);

#endif
