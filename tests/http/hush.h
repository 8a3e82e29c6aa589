#ifndef IPR_TEST_HTTP_HUSH_H
#define IPR_TEST_HTTP_HUSH_H

/* The token "hush", and what a write with it leaves behind. */

#include "fixture.h"

static inline void hush(void)
{
    fake.any_token = true;
    crypto_generichash(fake.token, sizeof fake.token, (const unsigned char *)"hush", 4, NULL, 0);
}

/* What the last write left behind: that is noted before its answer is sent. */
static inline void expect_audited(const char *want)
{
    char got[sizeof fake.audited];

    pthread_mutex_lock(&fake.lock);
    memcpy(got, fake.audited, sizeof got);
    pthread_mutex_unlock(&fake.lock);
    assert_string_equal(got, want);
}

#define HUSH "\nAuthorization: Bearer hush"

#endif
