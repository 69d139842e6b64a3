#!/bin/sh
# systemd_vm.sh TURF FOLDER: runs the hardened unit debian/turf.service under a real systemd, in a
# virtual machine with Debian's kernel and a root made by debootstrap. Without KVM: minutes.
#
# The machine starts the unit with a bot, plays a game against it over HTTP, and prints TAP on its
# serial console (systemd_guest.sh). FOLDER keeps kernel and root. As root: debootstrap needs it.
set -eu
turf=$1 work=$2 here=$(cd "$(dirname "$0")" && pwd)
[ "$(uname -m)" = x86_64 ] || { echo "1..0 # SKIP this test knows x86-64 only"; exit 0; }
[ "$(id -u)" -eq 0 ] || { echo "1..0 # SKIP debootstrap needs root"; exit 0; }
mkdir -p "$work"
cd "$work"
kernel=$("$here/vm_kernel.sh")
[ -e root/etc/debian_version ] || {
    rm -rf root
    debootstrap --variant=minbase --include=systemd,systemd-sysv,bubblewrap,libjansson4,libsqlite3-0,libseccomp2,libmicrohttpd12,libedit2,libnettle8,curl,busybox-static \
        bookworm root >debootstrap.txt
}
gcc -O1 -static -pthread -o root/usr/bin/probe "$here/probe.c"
mkdir -p root/srv/bot
cp root/usr/bin/probe root/srv/bot/probe
cp "$turf" root/usr/bin/turf
cp "$here/../../debian/turf.service" root/lib/systemd/system/turf.service
echo 'TURF_OPTIONS=--allow "sw/probe=bot:/srv/bot/probe"' >root/etc/default/turf
cp "$here/systemd_guest.sh" root/usr/bin/try-turf
chmod +x root/usr/bin/try-turf
cat >root/etc/systemd/system/try-turf.service <<'UNIT'
[Unit]
After=turf.service
[Service]
Type=oneshot
ExecStart=/usr/bin/try-turf
StandardOutput=tty
TTYPath=/dev/ttyS0
[Install]
WantedBy=multi-user.target
UNIT
mkdir -p root/etc/systemd/system/multi-user.target.wants
ln -sf ../try-turf.service root/etc/systemd/system/multi-user.target.wants/
ln -sf /lib/systemd/system/turf.service root/etc/systemd/system/multi-user.target.wants/
rm -rf root/var/cache/apt root/var/lib/apt/lists root/usr/share/doc root/usr/share/locale
# A root that bubblewrap can leave: the initramfs is copied to a tmpfs first.
cat >root/init <<'INIT'
#!/bin/busybox sh
/bin/busybox mkdir -p /new
/bin/busybox mount -t tmpfs -o mode=0755,size=90% tmpfs /new
for name in /*; do [ "$name" = /new ] || /bin/busybox cp -a "$name" /new/; done
exec /bin/busybox switch_root /new /sbin/init
INIT
chmod +x root/init
(cd root && find . -xdev | cpio --quiet -o -H newc | gzip -1) >initramfs.gz
timeout 1500 qemu-system-x86_64 -accel tcg,thread=multi -smp 2 -m 2560 -nographic -no-reboot -nic none \
    -kernel "$kernel" -initrd initramfs.gz \
    -append "console=ttyS0 quiet panic=-1 systemd.show_status=0 systemd.unified_cgroup_hierarchy=1" >serial.txt 2>&1 </dev/null || true
tr -d '\r' <serial.txt | sed -n '/^1\.\./,$p' | grep -E '^(1\.\.|ok|not ok|# )' || true
tr -d '\r' <serial.txt | grep -q '^# the end' || { echo "not ok - the machine did not get to the end; see $work/serial.txt"; exit 1; }
! tr -d '\r' <serial.txt | grep -q '^not ok'
