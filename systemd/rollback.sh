#!/bin/sh
# Goes back to the release before, if the present one has never been found healthy; then starts the program again.
set -eu
home=${COMPANION_HOME:-/opt/companion}
current=$(readlink "$home/current" || true)
previous=$(readlink "$home/previous" || true)
if [ -n "$previous" ] && [ -d "$home/$previous" ] && [ ! -e "$home/$current/healthy" ]; then
    ln -sfn "$previous" "$home/current.new"
    mv -T "$home/current.new" "$home/current"
    rm -f "$home/previous"
    echo "companion: $current did not come up, back to $previous"
else
    echo "companion: $current does not come up, and there is no other release to go back to; trying again"
    sleep "${COMPANION_WAIT:-60}"
fi
if [ -d /run/systemd/system ]; then
    systemctl reset-failed companion.service
    systemctl --no-block start companion.service
fi
