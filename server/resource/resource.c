#include "resource/resource.h"

#include <string.h>

#include "resource_table.h"

const struct ipr_resource *ipr_resource_at(enum ipr_resource_id id)
{
    return &table[id];
}

const struct ipr_menu_entry *ipr_resource_menu(void)
{
    return menu;
}

const struct ipr_resource *ipr_resource_named(const char *name)
{
    for (size_t i = 0; i < IPR_RESOURCES; i++)
        if (strcmp(table[i].name, name) == 0)
            return &table[i];
    return NULL;
}

const struct ipr_resource *ipr_resource_of_page(const char *template_name)
{
    for (size_t i = 0; i < IPR_RESOURCES; i++)
        if (table[i].page != NULL && strcmp(table[i].page_template, template_name) == 0)
            return &table[i];
    return NULL;
}

const struct ipr_param_def *ipr_resource_param(const struct ipr_resource *r, const char *name)
{
    for (const struct ipr_param_def *d = r->params; d->name != NULL; d++)
        if (strcmp(d->name, name) == 0)
            return d;
    return NULL;
}

bool ipr_name_is_listed(const char *names, const char *name)
{
    const size_t n = strlen(name);

    for (const char *p = names; p != NULL; p = strchr(p, ',')) {
        p += *p == ',';
        if (strncmp(p, name, n) == 0 && (p[n] == ',' || p[n] == '\0'))
            return true;
    }
    return false;
}

bool ipr_param_of_method(const struct ipr_param_def *d, const char *method)
{
    return d->of == NULL || method == NULL || strcmp(method, "all") == 0 ||
           ipr_name_is_listed(d->of, method);
}
