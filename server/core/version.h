#ifndef IPR_CORE_VERSION_H
#define IPR_CORE_VERSION_H

/* The version of the program, for --version, workers and metrics. */
#define IPR_VERSION "0.1.0"

#endif
