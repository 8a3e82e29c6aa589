#include "core/setting.h"

const char *ipr_setting_name(enum ipr_purpose purpose)
{
    static const char *const names[] = { [IPR_FOR_LINES] = "standard",
                                         [IPR_FOR_RATING] = "rating",
                                         [IPR_FOR_FILES] = "pgn-evals",
                                         [IPR_FOR_NOTES] = "alliot-pgn",
                                         [IPR_FOR_HUMANS] = "maia-1100-1900" };

    return names[purpose];
}

const char *ipr_setting_queue(const struct ipr_config *config, const char *requested)
{
    return requested != NULL ? requested : config->judge;
}

struct ipr_judge ipr_setting_rating(void)
{
    struct ipr_judge judge = { .multipv = 0 };

    (void)ipr_judge_builtin(ipr_setting_name(IPR_FOR_RATING), &judge);
    return judge;
}
