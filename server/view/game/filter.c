/* Filters of lists of games. */
#include "view/game/filter.h"

#include "view/view.h"

enum ipr_code ipr_game_filter_years(struct ipr_db_game_filter *f, int year, int from, int to,
                                    struct ipr_err *err)
{
    if (f->player == 0 && (f->opponent != 0 || f->colors != 0))
        return ipr_param_refuse(err, f->opponent != 0 ? "opponent" : "color", "only with player");
    return ipr_view_years(year, from, to, &f->from, &f->to, err);
}
