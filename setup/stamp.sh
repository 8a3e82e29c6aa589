#!/bin/sh
# stamp.sh [FOLDER] - notes that a backup was made now, as a metric, whose age the alert BackupOld watches: in the folder
# of node-exporter's textfile collector; without one in that of Debian's package, where it is installed.
set -eu
folder=${1:-/var/lib/prometheus/node-exporter}
[ $# = 1 ] || [ -d "$folder" ] || exit 0
mkdir -p "$folder"
part=$(mktemp "$folder/backup.XXXXXX")
cat >"$part" <<END
# HELP intrinsic_backup_timestamp_seconds When the last backup was made, in seconds since the epoch.
# TYPE intrinsic_backup_timestamp_seconds gauge
intrinsic_backup_timestamp_seconds $(date +%s)
END
chmod 644 "$part"
mv -T "$part" "$folder/intrinsic_backup.prom"
