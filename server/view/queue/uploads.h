#ifndef IPR_VIEW_QUEUE_UPLOADS_H
#define IPR_VIEW_QUEUE_UPLOADS_H

#include "db/uploads.h"
#include "view/view.h"

/** A list of shape "upload_row". New reference. */
json_t *ipr_view_upload_rows(const struct ipr_db_upload *rows, size_t n);

#endif
