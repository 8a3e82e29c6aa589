#include "ipr_sentences_sample.h"

#include "ipr_test.h"
#include "sentence/sentence.h"
#include "view/page/format.h"

void ipr_sentences_sample(void)
{
    static bool read;
    struct ipr_err err = IPR_ERR_INIT;

    if (!read)
        assert_ok(ipr_sentences_load("templates", ipr_page_formatters, &err), &err);
    read = true;
}
