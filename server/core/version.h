#ifndef IPR_CORE_VERSION_H
#define IPR_CORE_VERSION_H

/* Of the program, for --version, workers and metrics. */
#define IPR_VERSION "0.1.0"

#endif
