#!/bin/sh
# Installs, updates or removes Companion on Raspberry Pi OS or another Debian, Bookworm or newer. May be run again.
#
#   sudo systemd/install.sh                          from the network
#   sudo systemd/install.sh --wheelhouse DIR         without a network, from wheels that `wheelhouse.sh` has collected
#   sudo systemd/install.sh --uninstall [--purge]    removes it; with --purge the records as well
#
# --no-apt            asks apt for nothing; what it would install has to be there
# --volatile-journal  keeps the journal in memory, which spares the SD card
set -eu

source=$(cd "$(dirname "$0")/.." && pwd)
home=/opt/companion
units=/etc/systemd/system
wheelhouse="" apt=yes uninstall="" purge="" journal=""

main() {
    while [ $# -gt 0 ]; do
        case $1 in
            --wheelhouse) [ $# -gt 1 ] || fail "--wheelhouse needs a folder"; wheelhouse=$(cd "$2" && pwd); shift ;;
            --no-apt) apt="" ;;
            --volatile-journal) journal=yes ;;
            --uninstall) uninstall=yes ;;
            --purge) purge=yes ;;
            -h|--help) sed -n '2,10s/^# \{0,1\}//p' "$0"; exit 0 ;;
            *) fail "unknown option $1; see --help" ;;
        esac
        shift
    done
    [ "$(id -u)" = 0 ] || fail "run it as root: sudo $0"
    command -v apt-get > /dev/null || fail "this is no Debian; see README.md for an installation by hand"
    if [ -n "$uninstall" ]; then remove; else
        packages
        release=releases/$(date +%Y%m%d-%H%M%S)
        trap 'rm -rf "${home:?}/$release"' EXIT
        build
        healthy || fail "the new version is not fit for use here, the old one stays; see above"
        trap - EXIT
        settle
        switch_over
    fi
}

say() { echo "companion: $*"; }
fail() { say "$*" >&2; exit 1; }
running() { [ -d /run/systemd/system ]; }

# What comes from apt: on a Raspberry Pi its numpy, OpenCV and Picamera2 fit its camera stack.
packages() {
    [ -n "$apt" ] || return 0
    if [ -n "$wheelhouse" ]; then # without a network apt can only give what it has
        python3 -c "import ensurepip" 2> /dev/null || fail "python3-venv is missing; it has to be there"
        return 0
    fi
    export DEBIAN_FRONTEND=noninteractive
    apt-get update -q
    apt-get install -q -y --no-install-recommends python3 python3-venv python3-numpy python3-opencv \
        cage libgl1 libegl1 libgles2
    for package in python3-picamera2 python3-lgpio espeak-ng; do # where the system has them
        if apt-cache show "$package" > /dev/null 2>&1; then
            apt-get install -q -y --no-install-recommends "$package"
        fi
    done
}

# A virtual environment of its own for each version; pip brings only what the system does not have new enough.
build() {
    mkdir -p "$home/releases"
    python3 -m venv --system-site-packages "$home/$release"
    python="$home/$release/bin/python"
    set -- --quiet --disable-pip-version-check --no-input --root-user-action=ignore
    [ -z "$wheelhouse" ] || set -- "$@" --no-index --find-links "$wheelhouse"
    "$python" "$source/systemd/needed.py" > "$home/$release/needed.txt"
    "$python" -m pip install "$@" -r "$home/$release/needed.txt"
    if [ -n "$wheelhouse" ]; then
        "$python" -m pip install "$@" --no-deps companion
    else
        "$python" -m pip install "$@" --no-deps "$source"
    fi
    "$python" -m compileall -q "$home/$release/lib" || true
}

# A version that cannot be used here is never switched to.
healthy() {
    COMPANION_DATA="$home/$release/trial" SDL_VIDEODRIVER=dummy "$home/$release/bin/companion" check || return 1
    COMPANION_DATA="$home/$release/trial" "$home/$release/bin/companion" games > /dev/null || return 1
    rm -rf "${home:?}/$release/trial"
}

# User, folders, units, command.
settle() {
    install -D -m 644 "$source/systemd/companion.sysusers" /etc/sysusers.d/companion.conf
    install -D -m 644 "$source/systemd/companion.tmpfiles" /etc/tmpfiles.d/companion.conf
    systemd-sysusers /etc/sysusers.d/companion.conf
    systemd-tmpfiles --create /etc/tmpfiles.d/companion.conf
    install -D -m 644 -t "$units" "$source/systemd/companion.service" "$source/systemd/companion-rollback.service"
    install -D -m 755 "$source/systemd/rollback.sh" "$home/rollback.sh"
    ln -sfn "$home/current/bin/companion" /usr/local/bin/companion
    if [ -n "$journal" ]; then
        install -D -m 644 "$source/systemd/journald.conf" /etc/systemd/journald.conf.d/companion.conf
    fi
}

switch_over() {
    before=$(readlink "$home/current" || true)
    ln -sfn "$release" "$home/current.new"
    mv -T "$home/current.new" "$home/current"
    [ -z "$before" ] || ln -sfn "$before" "$home/previous"
    prune
    if ! running; then
        systemctl enable companion.service
        touch "$home/$release/healthy"
        say "$release is installed; the program starts at the next boot"
        return 0
    fi
    systemctl daemon-reload
    systemctl enable companion.service
    systemctl restart companion.service || true
    if came_up; then
        touch "$home/$release/healthy"
        say "$release is installed and runs"
    elif [ -n "$before" ]; then
        "$home/rollback.sh"
        fail "$release did not come up, back to $before; journalctl -u companion tells why"
    else
        fail "$release did not come up; journalctl -u companion tells why"
    fi
}

# Up means: it has said so, and it is still up half a minute later.
came_up() {
    for _ in 1 2 3 4 5 6; do
        sleep 5
        systemctl --quiet is-active companion.service || return 1
    done
}

# Only the present version and the one before are kept.
prune() {
    for path in "$home"/releases/*; do
        name=releases/$(basename "$path")
        if [ "$name" != "$(readlink "$home/current")" ] && [ "$name" != "$(readlink "$home/previous" || true)" ]; then
            rm -rf "$path"
        fi
    done
}

remove() {
    if running; then systemctl stop companion.service || true; fi
    systemctl disable companion.service 2> /dev/null || true
    rm -f "$units/companion.service" "$units/companion-rollback.service" /usr/local/bin/companion
    rm -f /etc/sysusers.d/companion.conf /etc/tmpfiles.d/companion.conf /etc/systemd/journald.conf.d/companion.conf
    rmdir /etc/systemd/journald.conf.d 2> /dev/null || true
    rm -rf "$home"
    if running; then systemctl daemon-reload; fi
    if [ -n "$purge" ]; then
        rm -rf /var/lib/companion /var/cache/companion
        if getent passwd companion > /dev/null; then userdel companion; fi
        if getent group companion > /dev/null; then groupdel companion; fi
        say "removed, with all records"
    else
        say "removed; the records are in /var/lib/companion"
    fi
}

main "$@"
