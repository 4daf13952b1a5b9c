# Run by appliance.sh on this machine: image.sh ROOT WHEELS OUT.img
# Debian with what a Raspberry Pi has before anybody installs Dicelight, as a disk image.
set -euo pipefail
root=$1 wheels=$2 out=$3
here=$(cd "$(dirname "$0")" && pwd)
cp "$wheels"/debs/*.deb "$root/tmp/"
chroot "$root" sh -c 'dpkg --install /tmp/*.deb && rm /tmp/*.deb' >/dev/null
rm -rf "$root/srv/wheels" && cp -r "$wheels/locked" "$root/srv/wheels"
cat >"$root/etc/pip.conf" <<'CONF'
[global]
no-index = true
find-links = /srv/wheels
CONF
mkdir -p "$root/boot/firmware" && echo dtparam=audio=on >"$root/boot/firmware/config.txt"
echo raspberrypi >"$root/etc/hostname"
printf '127.0.0.1 localhost\n127.0.1.1 raspberrypi\n' >"$root/etc/hosts"
printf '/dev/ubda / ext4 defaults,noatime 0 1\n' >"$root/etc/fstab"
cat >"$root/etc/systemd/network/10-wire.network" <<'CONF'
[Match]
Name=en* eth* vec*
[Network]
Address=10.0.2.15/24
CONF
# What Raspberry Pi OS calls the heap that picamera2 asks for.
echo 'L+ /dev/dma_heap/linux,cma - - - - system' >"$root/etc/tmpfiles.d/pi.conf"
# The pins of a Pi 4, before anything asks for them; see the kernel's gpio-sim.
cat >"$root/etc/systemd/system/pi-pins.service" <<'UNIT'
[Unit]
DefaultDependencies=no
After=sys-kernel-config.mount sys-kernel-debug.mount
Requires=sys-kernel-config.mount
Before=sysinit.target
[Service]
Type=oneshot
ExecStart=/bin/sh -c 'cd /sys/kernel/config/gpio-sim && mkdir -p pi/bank && echo 58 >pi/bank/num_lines && echo pinctrl-bcm2711 >pi/bank/label && echo 1 >pi/live'
[Install]
WantedBy=sysinit.target
UNIT
cp "$here/agent.py" "$root/srv/agent.py"
cat >"$root/etc/systemd/system/agent.service" <<'UNIT'
[Unit]
After=network.target
[Service]
ExecStart=/usr/bin/python3 /srv/agent.py
Restart=always
RestartSec=1
[Install]
WantedBy=multi-user.target
UNIT
chroot "$root" systemctl --quiet enable pi-pins agent systemd-networkd
chroot "$root" systemctl --quiet mask systemd-networkd-wait-online getty@tty1 serial-getty@ttyS0 \
    systemd-binfmt proc-sys-fs-binfmt_misc.automount apt-daily.timer apt-daily-upgrade.timer
rm -f "$root"/var/cache/apt/*.bin "$root"/var/cache/apt/archives/*.deb
rm -f "$out.new" && truncate -s 3G "$out.new"
mke2fs -q -F -t ext4 -d "$root" "$out.new" && mv "$out.new" "$out"
