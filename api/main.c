/* describe CONSTANT EXAMPLES OUT: writes index.json, docs.json and openapi.json into the folder OUT
 * (Makefile). */
#include <stdio.h>
#include <stdlib.h>

#include "api/docs.h"
#include "tmpl/number.h"

static json_t *document_load(const char *path)
{
    json_error_t error;
    json_t *file = json_load_file(path, 0, &error);

    if (file == NULL) {
        fprintf(stderr, "%s:%d: %s\n", path, error.line, error.text);
        exit(1);
    }
    return file;
}

/* Takes `value`. */
static void document_write(const char *dir, const char *name, json_t *value)
{
    struct ipr_buf out = IPR_BUF_INIT;
    char path[4096];

    ipr_json_write(value, &out);
    ipr_buf_putc(&out, '\n');
    json_decref(value);
    snprintf(path, sizeof path, "%s/%s", dir, name);
    FILE *f = fopen(path, "w");
    if (f == NULL || fwrite(out.p, 1, out.n, f) != out.n || fclose(f) != 0) {
        perror(path);
        exit(1);
    }
    ipr_buf_release(&out);
}

int main(int argc, char **argv)
{
    if (argc != 4)
        return 2;
    json_t *constant = document_load(argv[1]), *examples = document_load(argv[2]);

    document_write(argv[3], "index.json", ipr_docs_index());
    document_write(argv[3], "docs.json", ipr_docs_page(examples));
    document_write(argv[3], "openapi.json", ipr_docs_openapi(constant, examples));
    json_decref(constant);
    json_decref(examples);
    return 0;
}
