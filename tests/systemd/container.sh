#!/usr/bin/env bash
# Installs, plays, breaks, updates, takes back and removes Dicelight on a real systemd:
# a Debian container, booted with systemd-nspawn. Run by hand, as root:
#
#   tests/systemd/container.sh [trixie|bookworm]
#
# Needs systemd-container and mmdebstrap, and a network for packages. The first run
# makes the container (a minute) and keeps it in $DICELIGHT_CACHE, else
# ~/.cache/dicelight. The container has no device of a Pi, and shares this machine's
# network: port 80 must be free here. Exit status 0: everything held.
set -euo pipefail
suite=${1:-trixie}
here=$(cd "$(dirname "$0")" && pwd)
checkout=$(cd "$here/../.." && pwd)
cache=${DICELIGHT_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/dicelight}
base=$cache/container-$suite
fail() { printf 'container.sh: %s\n' "$*" >&2; exit 2; }

[ "$(id -u)" -eq 0 ] || fail "start it as root"
for tool in mmdebstrap systemd-nspawn; do
    command -v "$tool" >/dev/null || fail "needs $tool (apt-get install mmdebstrap systemd-container)"
done
if [ ! -f "$base/.complete" ]; then
    rm -rf "$base"
    mkdir -p "$cache"
    mmdebstrap --quiet --variant=apt \
        --include=systemd,systemd-sysv,dbus,udev,python3,ca-certificates,passwd,curl,procps \
        "$suite" "$base"
    touch "$base/.complete"
fi

root=$(mktemp -d "$cache/run.XXXXXX")
trap 'rm -rf "$root"' EXIT
cp -ax "$base/." "$root"
cp -L /etc/resolv.conf "$root/etc/resolv.conf"
# Packages are fetched through the same certificates as on this machine.
cp -L /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/certs/ca-certificates.crt"
mkdir -p "$root/srv/dicelight"
tar -C "$checkout" --exclude-vcs --exclude='.venv*' --exclude=__pycache__ \
    --exclude='*.egg-info' --exclude=shared -cf - \
    device vision web hardware systemd .ci pyproject.toml README.md CHANGELOG.md LICENSE |
    tar -C "$root/srv/dicelight" -xf -
cp "$here/inside.sh" "$root/srv/inside.sh"
cat >"$root/etc/systemd/system/inside.service" <<'UNIT'
[Unit]
After=multi-user.target
[Service]
Type=oneshot
Environment=PIP_CERT=/etc/ssl/certs/ca-certificates.crt
ExecStart=/bin/bash /srv/inside.sh
ExecStopPost=/bin/systemctl poweroff --no-block
StandardOutput=file:/srv/report
StandardError=file:/srv/report
UNIT
mkdir -p "$root/etc/systemd/system/default.target.wants"
ln -s ../inside.service "$root/etc/systemd/system/default.target.wants/inside.service"

systemd-nspawn --quiet --directory="$root" --register=no --keep-unit \
    --resolv-conf=off --boot >"$root.console" 2>&1 </dev/null || true
cat "$root/srv/report" 2>/dev/null || { tail -n 40 "$root.console"; fail "it did not boot"; }
rm -f "$root.console"
grep -q '^ALL HELD$' "$root/srv/report"
