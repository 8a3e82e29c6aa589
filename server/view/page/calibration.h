#ifndef IPR_VIEW_PAGE_CALIBRATION_H
#define IPR_VIEW_PAGE_CALIBRATION_H

#include <jansson.h>

/* Parts of the page of one calibration, from its record; for page_calibration.c. New references. */

/** [{"title", "note", "columns": [{"label"}], "rows": [{"head", "cells": [{"label", "text"}]}]}]:
 * those that the record has the figures for. */
json_t *ipr_page_calibration_tables(const json_t *record);

/** [{"text"}]: sentences. */
json_t *ipr_page_calibration_facts(const json_t *record);

#endif
