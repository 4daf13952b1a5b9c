# Run inside the builder tree by appliance.sh: kernel.sh SOURCE_TAR OUTPUT
# Builds Debian's kernel source as a User-Mode Linux program, with a gpio-sim, a virtual
# camera (vimc) and our SPI controller without wires built in.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p /build && cd /build
[ -d source ] || { mkdir source.new && tar -C source.new --strip-components=1 -xJf "$1" && mv source.new source; }
cd source
cp "$here/fakespi.c" drivers/spi/
grep -q fakespi drivers/spi/Makefile ||
    echo 'obj-$(CONFIG_SPI_MASTER) += fakespi.o' >>drivers/spi/Makefile
make -s ARCH=um defconfig
# UML_PCI_OVER_VIRTIO is what gives this kernel the memory that media drivers ask for.
options='CONFIGFS_FS GPIOLIB GPIO_CDEV GPIO_CDEV_V1 GPIO_SIM SPI SPI_SPIDEV
VIRTIO_UML PCI UML_PCI_OVER_VIRTIO MEDIA_SUPPORT MEDIA_TEST_SUPPORT MEDIA_CAMERA_SUPPORT
V4L_TEST_DRIVERS VIDEO_VIMC DMABUF_HEAPS DMABUF_HEAPS_SYSTEM UDMABUF MEMFD_CREATE
DEVTMPFS DEVTMPFS_MOUNT TMPFS TMPFS_XATTR TMPFS_POSIX_ACL CGROUPS MEMCG CGROUP_PIDS
CGROUP_DEVICE CGROUP_BPF BPF_SYSCALL EXT4_FS HOSTFS UML_NET_VECTOR INOTIFY_USER SIGNALFD
TIMERFD EPOLL FHANDLE AUTOFS_FS NAMESPACES USER_NS NET_NS SECCOMP SECCOMP_FILTER
OF BLK_DEV_UBD DEBUG_FS OVERLAY_FS IPV6 UNIX INET PACKET DEBUG_INFO_NONE'
for option in $options; do ./scripts/config --enable "$option"; done
./scripts/config --disable MODULES --disable SOUND --disable WERROR
make -s ARCH=um olddefconfig
for option in OF GPIO_SIM SPI_SPIDEV VIDEO_VIMC DMABUF_HEAPS_SYSTEM SECCOMP_FILTER CGROUP_BPF UML_NET_VECTOR; do
    grep -q "^CONFIG_$option=y" .config || { echo "kernel.sh: CONFIG_$option is not to be had" >&2; exit 1; }
done
make -s ARCH=um -j"$(nproc)" linux
strip -o "$2.new" linux && mv "$2.new" "$2"
