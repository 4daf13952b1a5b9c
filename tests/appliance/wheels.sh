# Run inside the builder by appliance.sh: wheels.sh LOCK OUT
# What a Raspberry Pi takes from its own packages and Debian lacks, as Debian packages of
# the same names made of PyPI's wheels; and the locked wheels that the installer asks for.
set -euo pipefail
locked=$1 out=$2
here=$(cd "$(dirname "$0")" && pwd)
rm -rf "$out" && mkdir -p "$out/locked" "$out/wheels" "$out/debs"
wheel() { python3 -m pip wheel --quiet --disable-pip-version-check --no-deps "$@"; }
cd /tmp
wheel -w "$out/locked" -r "$locked"
wheel -w "$out/wheels" picamera2==0.3.38 simplejpeg==1.9.0 PiDNG==4.0.9 videodev2==0.0.4 \
    gpiozero==2.0.1.post3 colorzero==2.0
# Its source package builds its own C library only when told so.
PYPI=1 wheel --no-binary lgpio -w "$out/wheels" lgpio==0.2.2.0

package() { # package NAME WHEEL...
    local name=$1 tree
    tree=$(mktemp -d) && shift
    mkdir -p "$tree/DEBIAN" "$tree/usr/lib/python3/dist-packages"
    printf '%s\n' "Package: $name" 'Version: 1' 'Architecture: all' \
        'Maintainer: nobody <nobody@invalid>' 'Description: stand-in for tests' \
        >"$tree/DEBIAN/control"
    for file in "$@"; do
        case $file in
            *.whl) python3 -m zipfile -e "$file" "$tree/usr/lib/python3/dist-packages" ;;
            *) cp "$file" "$tree/usr/lib/python3/dist-packages/" ;;
        esac
    done
    chmod -R u=rwX,go=rX "$tree"
    dpkg-deb --build --root-owner-group "$tree" "$out/debs/$name.deb" >/dev/null
    rm -rf "$tree"
}
package python3-gpiozero "$out"/wheels/gpiozero-* "$out"/wheels/colorzero-*
package python3-lgpio "$out"/wheels/lgpio-*
package python3-picamera2 "$out"/wheels/{picamera2,simplejpeg,pidng,videodev2}-* "$here/pykms.py"
