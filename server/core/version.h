#ifndef IPR_CORE_VERSION_H
#define IPR_CORE_VERSION_H

/* Of the program, as --version, workers and metrics tell it. */
#define IPR_VERSION "0.1.0"

#endif
