#include "ipr_pack_test.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <archive.h>
#include <archive_entry.h>

static int rewound(int fd)
{
    if (lseek(fd, 0, SEEK_SET) != 0)
        abort();
    return fd;
}

static int new_fd(void)
{
    const int fd = memfd_create("upload", MFD_CLOEXEC);

    if (fd < 0)
        abort();
    return fd;
}

int ipr_pack_plain(const void *bytes, size_t n)
{
    const int fd = new_fd();

    for (size_t at = 0; at < n;) {
        const ssize_t put = write(fd, (const char *)bytes + at, n - at);

        if (put <= 0)
            abort();
        at += (size_t)put;
    }
    return rewound(fd);
}

static void put_entry(struct archive *a, const char *name, const void *bytes, size_t n)
{
    struct archive_entry *e = archive_entry_new();
    const size_t n_name = strlen(name);

    archive_entry_set_pathname(e, name);
    archive_entry_set_size(e, (la_int64_t)n);
    archive_entry_set_filetype(e, n_name > 0 && name[n_name - 1] == '/' ? AE_IFDIR : AE_IFREG);
    archive_entry_set_perm(e, 0644);
    if (archive_write_header(a, e) != ARCHIVE_OK ||
        archive_write_data(a, bytes, n) != (la_ssize_t)n)
        abort();
    archive_entry_free(e);
}

int ipr_pack_filtered(const char *filter, const void *bytes, size_t n)
{
    struct archive *a = archive_write_new();
    const int fd = new_fd();

    if (archive_write_set_format_raw(a) != ARCHIVE_OK ||
        archive_write_add_filter_by_name(a, filter) != ARCHIVE_OK ||
        archive_write_set_bytes_in_last_block(a, 1) != ARCHIVE_OK ||
        archive_write_open_fd(a, fd) != ARCHIVE_OK)
        abort();
    put_entry(a, "data", bytes, n);
    archive_write_close(a);
    archive_write_free(a);
    return rewound(fd);
}

static int pack_zip(const struct ipr_pack_entry *entries, const char *password)
{
    struct archive *a = archive_write_new();
    const int fd = new_fd();

    if (archive_write_set_format_zip(a) != ARCHIVE_OK ||
        (password != NULL &&
         (archive_write_set_options(a, "zip:encryption=zipcrypt") != ARCHIVE_OK ||
          archive_write_set_passphrase(a, password) != ARCHIVE_OK)) ||
        archive_write_set_bytes_in_last_block(a, 1) != ARCHIVE_OK ||
        archive_write_open_fd(a, fd) != ARCHIVE_OK)
        abort();
    for (const struct ipr_pack_entry *e = entries; e->name[0] != '\0'; e++)
        put_entry(a, e->name, e->text, strlen(e->text));
    archive_write_close(a);
    archive_write_free(a);
    return rewound(fd);
}

int ipr_pack_zip(const struct ipr_pack_entry *entries)
{
    return pack_zip(entries, NULL);
}

int ipr_pack_zip_encrypted(const struct ipr_pack_entry *entries)
{
    return pack_zip(entries, "secret");
}

static void append(int to, int from)
{
    char bytes[4096];
    ssize_t n;

    while ((n = read(from, bytes, sizeof bytes)) > 0)
        if (write(to, bytes, (size_t)n) != n)
            abort();
    close(from);
}

int ipr_pack_joined(int a, int b)
{
    const int fd = new_fd();

    append(fd, a);
    append(fd, b);
    return rewound(fd);
}

int ipr_pack_cut(int fd, size_t n)
{
    if (lseek(fd, 0, SEEK_END) > (off_t)n && ftruncate(fd, (off_t)n) != 0)
        abort();
    return rewound(fd);
}
