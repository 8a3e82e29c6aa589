#include "command/rate_page.h"

#include <limits.h>
#include <sodium.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "command/command.h"
#include "core/beside.h"
#include "sentence/sentence.h"
#include "view/page/format.h"

#define FILE_BYTES ((size_t)1 << 20)

/* ---- where they are ---- */

/* The configured folder, else that of an installed program, else that of the source, in which it
 * was built. A folder templates/ of something else is none. */
static bool page_home(const char *home, char out[PATH_MAX])
{
    static const char *const beside[] = { "../share/intrinsic", "../.." };
    char page[PATH_MAX + 32];

    snprintf(out, PATH_MAX, "%s", home);
    for (size_t i = 0; i <= sizeof beside / sizeof *beside; i++) {
        snprintf(page, sizeof page, "%s/templates/pages/report.html", out);
        if (access(page, R_OK) == 0)
            return true;
        if (i < sizeof beside / sizeof *beside)
            ipr_program_beside(beside[i], out);
    }
    return false;
}

/* ---- files that become part of the page ---- */

struct page_inlining {
    const char *home;
    struct ipr_buf *scripts;
    enum ipr_code rc;
    struct ipr_err *err;
};

/* A module of which only `Chessground` is used, by the script after it. */
static void inline_module(struct ipr_str text, struct ipr_buf *out)
{
    static const char before[] = "export{", as[] = " as Chessground";
    const char *const from = memmem(text.p, text.n, before, sizeof before - 1);
    const char *const name = from != NULL ? from + sizeof before - 1 : NULL;
    const char *const end =
        name != NULL ? memmem(name, (size_t)(text.p + text.n - name), as, sizeof as - 1) : NULL;

    ipr_buf_add(out, text.p, end != NULL ? (size_t)(from - text.p) : text.n);
    if (end != NULL)
        ipr_buf_printf(out, "globalThis.Chessground=%.*s;\n", (int)(end - name), name);
}

static void inline_script(struct page_inlining *i, struct ipr_str text, struct ipr_buf *out)
{
    unsigned char digest[crypto_hash_sha256_BYTES];
    char shown[sodium_base64_ENCODED_LEN(sizeof digest, sodium_base64_VARIANT_ORIGINAL)];
    struct ipr_buf script = IPR_BUF_INIT;

    inline_module(text, &script);
    crypto_hash_sha256(digest, (const unsigned char *)ipr_buf_c(&script), script.n);
    sodium_bin2base64(shown, sizeof shown, digest, sizeof digest, sodium_base64_VARIANT_ORIGINAL);
    ipr_buf_printf(i->scripts, "%s'sha256-%s'", i->scripts->n > 0 ? " " : "", shown);
    ipr_buf_printf(out, "<script type=\"module\">%s</script>\n", ipr_buf_c(&script));
    ipr_buf_release(&script);
}

/* A line of a template that names a file to be put there, as it is. */
static void page_inline(void *cls, struct ipr_str text, struct ipr_buf *out)
{
    static const char before[] = "<link rel=\"inline\" href=\"";
    struct page_inlining *const i = cls;
    const size_t skip = sizeof before - 1;
    const char *const end = text.n > skip && memcmp(text.p, before, skip) == 0
                                ? memchr(text.p + skip, '"', text.n - skip)
                                : NULL;
    char path[PATH_MAX];
    struct ipr_buf file = IPR_BUF_INIT;

    if (end == NULL || i->rc != IPR_OK) {
        ipr_buf_add(out, text.p, text.n);
        return;
    }
    snprintf(path, sizeof path, "%s%.*s", i->home, (int)(end - text.p - (ptrdiff_t)skip),
             text.p + skip);
    i->rc = ipr_command_read_file(path, FILE_BYTES, &file, i->err);
    if (strcmp(path + strlen(path) - 3, ".js") == 0)
        inline_script(i, (struct ipr_str){ ipr_buf_c(&file), file.n }, out);
    else
        ipr_buf_printf(out, "<style>%s</style>\n", ipr_buf_c(&file));
    ipr_buf_release(&file);
}

/* ---- the page ---- */

enum ipr_code ipr_rate_page_open(const char *home, struct ipr_rate_page *out, struct ipr_err *err)
{
    char folder[PATH_MAX], templates[PATH_MAX];
    struct page_inlining inlining = { folder, &out->scripts, IPR_OK, err };

    if (!page_home(home, folder))
        return ipr_err_set(err, IPR_EIO,
                           "--report: no %s/templates/pages/report.html, and no share/intrinsic "
                           "beside the program's folder: INTRINSIC_HOME (--home) names the folder "
                           "that has templates/ and static/",
                           home);
    snprintf(templates, sizeof templates, "%.*s/templates", PATH_MAX - 16, folder);
    enum ipr_code rc =
        ipr_tmpl_set_load(templates, NULL, ipr_page_formatters, &out->templates, err);
    if (rc == IPR_OK)
        rc = ipr_sentences_load(templates, ipr_page_formatters, err);
    if (rc == IPR_OK)
        ipr_tmpl_set_rewrite(out->templates, page_inline, &inlining);
    return rc == IPR_OK ? inlining.rc : rc;
}

void ipr_rate_page_close(struct ipr_rate_page *page)
{
    ipr_tmpl_set_free(&page->templates);
    ipr_sentences_free();
    ipr_buf_release(&page->scripts);
}
