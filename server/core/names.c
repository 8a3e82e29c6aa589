#include "core/names.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <unicase.h>
#include <unictype.h>
#include <uninorm.h>
#include <unistr.h>

#include "base/str.h"

static bool separates(ucs4_t c)
{
    return c == '.' || uc_is_property_white_space(c) || uc_is_general_category(c, UC_CATEGORY_Cc);
}

/* Zero-width joiners, direction marks, byte order marks: nothing a reader of the name sees. */
static bool unseen(ucs4_t c)
{
    return uc_is_property_default_ignorable_code_point(c);
}

/* Case folding in NFC; NULL when out of memory. The caller frees. */
static uint8_t *fold(const uint8_t *s, size_t n, size_t *n_out)
{
    size_t n_nfc;
    uint8_t *nfc = u8_normalize(UNINORM_NFC, s, n, NULL, &n_nfc);
    uint8_t *folded = NULL;

    if (nfc != NULL)
        folded = u8_casefold(nfc, n_nfc, NULL, UNINORM_NFC, NULL, n_out);
    free(nfc);
    return folded;
}

/* Squeezes folded text into `out`, which has room for all of it. Returns whether anything in it
 * could tell one person from another. */
static bool squeeze(const uint8_t *s, size_t n, struct ipr_buf *out)
{
    bool names_someone = false, gap = false;

    for (size_t i = 0; i < n;) {
        ucs4_t c;
        const int len = u8_mbtouc(&c, s + i, n - i);
        const size_t at = i;

        i += (size_t)len;
        if (unseen(c))
            continue;
        if (separates(c)) {
            gap = true;
            continue;
        }
        if (gap && c != ',' && out->n > 0 && out->p[out->n - 1] != ',')
            ipr_buf_putc(out, ' ');
        gap = false;
        ipr_buf_add(out, s + at, (size_t)len);
        if (c != ',' && c != '?' && c != '-')
            names_someone = true;
    }
    return names_someone;
}

enum ipr_code ipr_name_key(const char *name, struct ipr_arena *mem, const char **out,
                           struct ipr_err *err)
{
    const size_t n = strlen(name);
    struct ipr_buf key = IPR_BUF_INIT;
    size_t n_folded = 0;

    if (n > IPR_NAME_MAX)
        return ipr_err_at(err, IPR_EPARSE, "name_too_long", 0, 0, -1,
                          "The player's name is longer than %d bytes.", IPR_NAME_MAX);
    if (u8_check((const uint8_t *)name, n) != NULL)
        return ipr_err_at(err, IPR_EPARSE, "bad_name", 0, 0, -1,
                          "The player's name is not valid UTF-8.");
    /* An empty result may come back as NULL, so nothing is folded when there is nothing. */
    uint8_t *folded = n > 0 ? fold((const uint8_t *)name, n, &n_folded) : NULL;
    const bool names_someone = folded != NULL && squeeze(folded, n_folded, &key);

    if (names_someone)
        *out = ipr_arena_strndup(mem, key.p, key.n);
    free(folded);
    ipr_buf_release(&key);
    if (!names_someone)
        return ipr_err_at(err, IPR_EPARSE, "no_player", 0, 0, -1, "The player's name is missing.");
    return IPR_OK;
}
