/* The input is a game's notes as the database keeps them. There is one way to write them: what
 * can be unpacked is packed as it was. */
#include <string.h>

#include "fuzz.h"
#include "pgn/charset.h"
#include "pgn/notes.h"

static void expect_same(const struct ipr_pgn_note *notes, size_t n, const uint8_t *data,
                        size_t size)
{
    struct ipr_buf packed = IPR_BUF_INIT;

    for (size_t i = 0; i < n; i++)
        HOLDS(ipr_utf8_valid(notes[i].text));
    ipr_notes_pack(notes, n, &packed);
    HOLDS(packed.n == size && (size == 0 || memcmp(packed.p, data, size) == 0));
    ipr_buf_release(&packed);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct ipr_arena mem = IPR_ARENA_INIT;
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_pgn_note *notes = NULL;
    size_t n = 0;

    if (ipr_notes_unpack((struct ipr_str){ (const char *)data, size }, &mem, &notes, &n, &err) ==
        IPR_OK)
        expect_same(notes, n, data, size);
    else
        HOLDS(err.code == IPR_EPARSE);
    ipr_arena_release(&mem);
    return 0;
}
