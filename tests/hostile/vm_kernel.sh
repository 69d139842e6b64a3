#!/bin/sh
# Prints the name of Debian's kernel in this folder, after fetching it if there is none. It is
# unpacked, not installed: the machine at hand must not boot it.
set -eu
kernel=$(ls vmlinuz-* 2>/dev/null | head -n 1)
if [ -z "$kernel" ]; then
    package=$(apt-cache depends linux-image-cloud-amd64 | sed -n 's/.*Depends: \(linux-image-[0-9].*\)/\1/p' | head -n 1)
    apt-get download "$package" >/dev/null
    dpkg-deb --fsys-tarfile "$package"_*.deb | tar -x --wildcards --strip-components=2 './boot/vmlinuz-*'
    rm -f "$package"_*.deb
    kernel=$(ls vmlinuz-*)
fi
echo "$kernel"
