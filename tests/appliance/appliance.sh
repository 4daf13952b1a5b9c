#!/usr/bin/env bash
# The appliance on the machine it is made for, without that machine: `make test-appliance`.
#
# Boots Debian 13 on a Linux kernel that runs as an ordinary program (User-Mode Linux),
# with simulated pins, an SPI bus whose bytes can be read back, and a virtual camera;
# installs Dicelight there with its own installer, plays, pulls cables and cuts the power.
#
# By hand, as root, on x86-64: it needs mmdebstrap, e2fsprogs, iproute2, and a network the
# first time. Kernel and root file system are built from Debian's packages (10 to 30
# minutes) and kept in $DICELIGHT_CACHE, else ~/.cache/dicelight. Exit status 0: all held.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
checkout=$(cd "$here/../.." && pwd)
cache=${DICELIGHT_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/dicelight}/appliance
builder=$cache/builder
say() { printf 'appliance: %s\n' "$*"; }
fail() { printf 'appliance: %s\n' "$*" >&2; exit 2; }

[ "$(id -u)" -eq 0 ] || fail "start it as root"
[ "$(uname -m)" = x86_64 ] || fail "the kernel for it runs on x86-64 only"
[ -c /dev/net/tun ] || fail "needs /dev/net/tun (modprobe tun)"
for tool in mmdebstrap mke2fs ip unshare; do
    command -v "$tool" >/dev/null || fail "needs $tool (apt-get install mmdebstrap e2fsprogs iproute2)"
done
[ -x "$checkout/.venv/bin/python" ] || fail "make test first: it makes the environment"
mkdir -p "$cache"
exec 9>"$cache/lock"
flock --nonblock 9 || fail "another one runs"

made_of() { cat "$@" | sha256sum | cut -c 1-16; } # names what a step is made of
is_made() { [ "$(cat "$cache/$1.made" 2>/dev/null)" = "$2" ]; }
mark() { echo "$2" >"$cache/$1.made"; }

lean=(--aptopt='APT::Install-Recommends "false"' --aptopt='Acquire::Languages "none"'
    --dpkgopt='path-exclude=/usr/share/man/*' --dpkgopt='path-exclude=/usr/share/doc/*'
    --dpkgopt='path-exclude=/usr/share/locale/*')
inside() { # a command in the builder, with this machine's network and certificates
    mkdir -p "$builder/etc/ssl/certs"
    cp -L /etc/resolv.conf /etc/hosts "$builder/etc/"
    cp -L /etc/ssl/certs/ca-certificates.crt "$builder/etc/ssl/certs/ca-certificates.crt"
    env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 \
        PIP_ROOT_USER_ACTION=ignore PIP_CERT=/etc/ssl/certs/ca-certificates.crt \
        chroot "$builder" "$@"
}

tools=gcc,g++,libc6-dev,make,flex,bison,bc,libelf-dev,xz-utils,linux-source-6.12,kmod
tools+=,python3-pip,python3-dev,swig,libcap-dev,pkg-config,device-tree-compiler
if ! is_made builder "$tools"; then
    say "tools to build with (two minutes)"
    rm -rf "$builder"
    mmdebstrap --quiet --variant=apt "${lean[@]}" --include="$tools" trixie "$builder"
    mark builder "$tools"
fi
mkdir -p "$builder/work"
cp "$here"/{kernel.sh,fakespi.c,pi.dts,wheels.sh,pykms.py} "$builder/work/"
inside dtc -q -O dtb -o /work/pi.dtb /work/pi.dts

key=$(made_of "$here/kernel.sh" "$here/fakespi.c")
if ! is_made kernel "$key"; then
    say "the kernel (5 to 25 minutes)"
    inside nice bash /work/kernel.sh /usr/src/linux-source-6.12.tar.xz /work/linux
    mark kernel "$key"
fi

key=$(made_of "$here/wheels.sh" "$here/pykms.py" "$checkout/.ci/lock/base.txt")
if ! is_made wheels "$key"; then
    say "Python packages"
    cp "$checkout/.ci/lock/base.txt" "$builder/work/base.txt"
    inside bash /work/wheels.sh /work/base.txt /work/wheels
    mark wheels "$key"
fi

packages=systemd,systemd-sysv,dbus,udev,kmod,iproute2,procps,curl,passwd,ca-certificates
packages+=,python3,python3-venv,python3-numpy,python3-spidev,python3-libcamera,libcamera-ipa
packages+=,python3-av,python3-piexif,python3-prctl,python3-libarchive-c,python3-pil
packages+=,python3-jsonschema,python3-tqdm,v4l-utils,avahi-daemon
key=$packages-$(made_of "$cache/wheels.made" "$here/image.sh" "$here/agent.py")
if ! is_made image "$key"; then
    say "the disk (three minutes)"
    rm -rf "$cache/root"
    mmdebstrap --quiet --variant=apt "${lean[@]}" --include="$packages" trixie "$cache/root"
    bash "$here/image.sh" "$cache/root" "$builder/work/wheels" "$cache/base.img"
    mark image "$key"
fi

tar -C "$checkout" --exclude-vcs --exclude='.venv*' --exclude=__pycache__ \
    --exclude='*.egg-info' --exclude=shared -cf "$builder/work/checkout.tar" \
    device vision web hardware systemd .ci pyproject.toml README.md CHANGELOG.md LICENSE
cp --sparse=always "$cache/base.img" "$builder/work/disk.img"
: >"$cache/console.log"
status=0
# A network and mounts of its own, which end with it.
unshare --mount --net --propagation private bash -euc '
    builder=$1 python=$2 checks=$3 console=$4
    mount --rbind /dev "$builder/dev"
    mount -t proc proc "$builder/proc"
    mount -t tmpfs -o size=2G,exec tmpfs "$builder/dev/shm"
    ip link set lo up
    ip tuntap add dev tap0 mode tap
    ip addr add 10.0.2.2/24 dev tap0
    ip link set tap0 up
    cd "$checks/../.." && exec "$python" -m tests.appliance.checks "$builder" "$console"
' appliance "$builder" "$checkout/.venv/bin/python" "$here" "$cache/console.log" 9>&- || status=$?
rm -f "$builder/work/disk.img" "$builder/work/checkout.tar"
say "the machine's console: $cache/console.log"
exit "$status"
