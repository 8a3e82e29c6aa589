#!/bin/bash
# pin.sh - writes into docker/.env the digests of the images of others that the compose files name, as this
# host has them: from then on these are used, whatever their tags become. Run it after a `pull` that was
# tried; docker/.env can be copied to other hosts.
set -eu
cd "$(dirname "$0")"
command -v docker >/dev/null && runtime=docker || runtime=podman
touch .env
while IFS='=' read -r name image; do
    name=${name#'#'}
    digest=$("$runtime" image inspect --format '{{index .RepoDigests 0}}' "$image" 2>/dev/null) || continue
    sed -i "/^$name=/d" .env
    printf '%s=%s\n' "$name" "$digest" | tee -a .env
done < <(grep -E '^#[A-Z]+_IMAGE=' .env.example)
