#include "lab/methods/covariance_distribution.h"

#include <gsl/gsl_fft_complex.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "model/covariance_gain.h"
#include "model/covariance_spectrum.h"

/* P(S = x cp) at p[x], of x < 0 at p[n + x], with s holding phi^n; p[n]. */
static void spectrum_distribution(struct ipr_spectrum *s, double *p)
{
    double *z = s->work;

    memset(z, 0, 2 * s->n * sizeof *z);
    z[0] = 1.0;
    for (size_t k = 0; k < s->active; k++) {
        const size_t j = s->j[k], mirrored = s->n - j;

        z[2 * j] = z[2 * mirrored] = s->re[k];
        z[2 * mirrored + 1] = -s->im[k];
        z[2 * j + 1] = j == mirrored ? 0.0 : s->im[k];
    }
    gsl_fft_complex_inverse(z, 1, s->n, s->table, s->scratch);
    for (size_t x = 0; x < s->n; x++)
        p[x] = fmax(0.0, z[2 * x]);
}

enum ipr_code ipr_covariance_distribution(const struct ipr_covariance_player *player1,
                                          const struct ipr_covariance_player *player2,
                                          unsigned pairs, unsigned reach, double *p,
                                          struct ipr_err *err)
{
    const struct ipr_covariance_player *const player[2] = { player1, player2 };
    struct ipr_gain *l = ipr_xcalloc(2, sizeof *l);
    struct ipr_spectrum s;
    enum ipr_code rc = IPR_OK;

    if (pairs == 0 || pairs > IPR_COVARIANCE_N0_MAX + 1)
        rc = ipr_err_set(err, IPR_EINVAL, "covariance: pairs=%u", pairs);
    for (int i = 0; i < 2 && rc == IPR_OK; i++) {
        if (player[i]->n == 0)
            rc = ipr_err_set(err, IPR_EDATA, "player %d has no moves", i + 1);
        else
            rc = ipr_gain_distribution(player[i]->turns, player[i]->weight, player[i]->n, &l[i],
                                       err);
    }
    if (rc == IPR_OK) {
        ipr_spectrum_sum(&l[0], &l[1], pairs, &s);
        /* S hardly leaves half the circle to either side. */
        double *all = ipr_xcalloc(s.n, sizeof *all);
        spectrum_distribution(&s, all);
        for (size_t x = 0; x <= reach; x++) {
            const bool within = x < s.n / 2;

            p[reach + x] = within ? all[x] : 0.0;
            p[reach - x] = within ? all[(s.n - x) % s.n] : 0.0;
        }
        free(all);
        ipr_spectrum_release(&s);
    }
    free(l);
    return rc;
}
