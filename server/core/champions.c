#include "core/champions.h"

#include <ctype.h>
#include <string.h>

#include "core/names.h"

static const struct ipr_champion champions[] = {
#include "champions_table.h"
};

static const size_t n_champions = sizeof champions / sizeof *champions;

const struct ipr_champion *ipr_champion_of(const char *name)
{
    for (size_t i = 0; i < n_champions; i++)
        for (const char *const *s = champions[i].spelled; *s != NULL; s++) {
            const char *a = *s, *b = name;

            for (;; a++, b++) {
                a += strspn(a, ". ");
                b += strspn(b, ". ");
                if (*a == '\0' || tolower((unsigned char)*a) != tolower((unsigned char)*b))
                    break;
            }
            if (*a == *b)
                return &champions[i];
        }
    return NULL;
}

const struct ipr_champion *ipr_champion_called(const char *key, struct ipr_arena *mem)
{
    const size_t letters = strlen(ipr_name_slug(key, mem));
    const char *called;

    for (size_t i = 0; i < n_champions; i++)
        if (strlen(ipr_name_slug(champions[i].name, mem)) == letters &&
            ipr_name_key(champions[i].name, mem, &called, NULL) == IPR_OK &&
            ipr_names_fit(key, called))
            return &champions[i];
    return NULL;
}

const char *ipr_name_spoken(const char *name, struct ipr_arena *mem)
{
    const char *const last = strrchr(name, ','), *const given = strstr(name, ", ");
    const struct ipr_champion *const champion = ipr_champion_of(name);

    if (last != NULL && strlen(last) == 6 && strspn(last + 2, "0123456789") == 4)
        return ipr_arena_printf(
            mem, "%s%s", ipr_name_spoken(ipr_arena_strndup(mem, name, (size_t)(last - name)), mem),
            last);
    if (champion != NULL || given == NULL)
        return champion != NULL ? champion->name : name;
    return ipr_arena_printf(mem, "%s %.*s", given + 2, (int)(given - name), name);
}
