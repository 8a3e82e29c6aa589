#!/bin/bash
# backup.sh - writes a dump of the database of DATABASE_URL to standard output: one moment of it, whatever
# is stored meanwhile. It has the digests of tokens: keep it where others cannot read it.
set -eu
. "$(dirname "$0")/password.sh"
hide_password DATABASE_URL
exec pg_dump --format=custom --no-owner --no-privileges -d "$DATABASE_URL"
