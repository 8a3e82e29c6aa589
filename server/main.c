#include <errno.h>
#include <gsl/gsl_errno.h>
#include <jansson.h>
#include <limits.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "command/command.h"
#include "core/beside.h"
#include "core/version.h"
#include "sentence/sentence.h"
#include "view/page/format.h"

static const struct ipr_command *const commands[] = {
    &ipr_command_serve,      &ipr_command_worker,    &ipr_command_migrate, &ipr_command_import,
    &ipr_command_export,     &ipr_command_calibrate, &ipr_command_ratings, &ipr_command_analyse,
    &ipr_command_identities, &ipr_command_token,     &ipr_command_audit,   &ipr_command_partition,
    &ipr_command_rate,       &ipr_command_fetch,
};

#define N_COMMANDS (sizeof commands / sizeof commands[0])

static void print_usage(const struct ipr_command *command, FILE *to)
{
    fprintf(to, "intrinsic %s", command->name);
    if (command->options != NULL || command->settings != NULL)
        fputs(" [OPTION]...", to);
    if (command->words[0] != '\0')
        fprintf(to, " %s", command->words);
}

static void print_command_help(const struct ipr_command *command, FILE *to)
{
    fputs("  ", to);
    print_usage(command, to);
    fputc('\n', to);
    ipr_help_wrap(to, 6, command->help);
    for (const struct ipr_option *o = command->options; o != NULL && o->name != NULL; o++)
        ipr_option_help(o, to);
    for (const char *const *s = command->settings; s != NULL && *s != NULL; s++)
        ipr_config_help_flag(*s, to);
    fputc('\n', to);
}

static void print_help(FILE *to)
{
    fputs("intrinsic: chess ratings from the moves, not the results\n\n", to);
    for (size_t i = 0; i < N_COMMANDS; i++)
        print_command_help(commands[i], to);
    fputs("Settings, from the environment or as flags (flags win):\n\n", to);
    ipr_config_help(to);
}

static const struct ipr_command *command_find(const char *name)
{
    for (size_t i = 0; i < N_COMMANDS; i++)
        if (strcmp(commands[i]->name, name) == 0)
            return commands[i];
    return NULL;
}

/* Libraries that must be initialised before any thread. */
static enum ipr_code init_libraries(struct ipr_err *err)
{
    /* An answer that memory ended for would lack members, as its making tests none of them. */
    json_set_alloc_funcs(ipr_xmalloc, free);
    json_object_seed(0);
    gsl_set_error_handler_off();
    if (sodium_init() < 0)
        return ipr_err_set(err, IPR_EIO, "libsodium cannot start");
    return ipr_sentences_load(NULL, ipr_page_formatters, err); /* a service reads its own */
}

static bool needs_database(const struct ipr_command *command, const struct ipr_args *args)
{
    return command->needs_database &&
           (command->offline_flag == NULL || !ipr_args_has(args, command->offline_flag));
}

static enum ipr_code command_check(const struct ipr_command *command, const struct ipr_args *args,
                                   const struct ipr_config *config, struct ipr_err *err)
{
    if (args->n > 0 && command->most == 0)
        return ipr_err_set(err, IPR_EPARSE, "takes no arguments");
    if (args->n < command->least || (command->most >= 0 && args->n > command->most))
        return ipr_err_set(err, IPR_EPARSE, "usage: intrinsic %s %s", command->name,
                           command->words);
    if (needs_database(command, args) && config->database_url[0] == '\0')
        return ipr_err_set(err, IPR_EPARSE,
                           "DATABASE_URL is not set (`make run` starts a private PostgreSQL)");
    return IPR_OK;
}

static enum ipr_code command_run(const struct ipr_command *command, int argc, char **argv,
                                 struct ipr_err *err)
{
    struct ipr_config config;
    struct ipr_args args;
    enum ipr_code rc = ipr_config_read(argc, argv, command->options, &config, &args, err);

    if (rc == IPR_OK)
        rc = command_check(command, &args, &config, err);
    if (rc == IPR_OK)
        rc = init_libraries(err);
    if (rc == IPR_OK)
        rc = command->run(&config, &args, err);
    return rc;
}

/* Becomes the program of a command, which is installed beside this one; argv[0] is the command's
 * name. Returns only if that fails. */
static int command_become(const struct ipr_command *command, char **argv)
{
    char path[PATH_MAX];

    ipr_program_beside(command->program, path);
    execv(path, argv);
    fprintf(stderr, "intrinsic %s: cannot start %s: %s\n", command->name, path, strerror(errno));
    return 1;
}

int main(int argc, char **argv)
{
    struct ipr_err err = IPR_ERR_INIT;

    if (argc < 2) {
        print_help(stderr);
        return 2;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "help") == 0) {
        print_help(stdout);
        return 0;
    }
    if (strcmp(argv[1], "--version") == 0) {
        puts("intrinsic " IPR_VERSION);
        return 0;
    }
    const struct ipr_command *command = command_find(argv[1]);
    if (command == NULL) {
        fprintf(stderr, "intrinsic: no such command: %s (see intrinsic --help)\n", argv[1]);
        return 2;
    }
    if (command->program != NULL)
        return command_become(command, argv + 1);
    if (argc > 2 && strcmp(argv[2], "--help") == 0) {
        print_command_help(command, stdout);
        fputs("Settings, from the environment or as flags: intrinsic --help\n", stdout);
        return 0;
    }
    if (command_run(command, argc - 1, argv + 1, &err) != IPR_OK) {
        fprintf(stderr, "intrinsic %s: %s\n", command->name, err.msg);
        return err.code == IPR_EPARSE ? 2 : 1;
    }
    return 0;
}
