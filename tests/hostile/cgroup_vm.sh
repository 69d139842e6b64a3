#!/bin/sh
# cgroup_vm.sh TURF FOLDER: tries the limits of bots in a virtual machine with cgroup v2, as Debian 12
# has it, whatever the machine at hand has. Without KVM: qemu emulates the processor.
#
# The machine is Debian's kernel and an initramfs with busybox, turf, bubblewrap and the bot probe.c.
# It runs guest.sh, prints TAP on its serial console and powers off. FOLDER keeps the kernel.
set -eu
turf=$1 work=$2 here=$(cd "$(dirname "$0")" && pwd)
[ "$(uname -m)" = x86_64 ] || { echo "1..0 # SKIP this test knows x86-64 only"; exit 0; }
mkdir -p "$work"
cd "$work"

kernel=$("$here/vm_kernel.sh")
rm -rf root
mkdir -p root/usr/bin root/usr/lib root/usr/lib64 root/usr/sbin root/proc root/sys root/dev root/etc root/new
for name in bin sbin lib lib64; do ln -s "usr/$name" "root/$name"; done
gcc -O1 -static -pthread -o root/usr/bin/probe "$here/probe.c"
cp "$(command -v busybox)" root/usr/bin/busybox
cp "$turf" root/usr/bin/turf
for name in bwrap setpriv prlimit true; do cp "/usr/bin/$name" root/usr/bin/; done
for name in turf bwrap setpriv prlimit true; do
    ldd "root/usr/bin/$name" | grep -o '/[^ ]*' | while read -r library; do
        real=/usr/${library#/}
        [ -e "$real" ] || real=$library
        real=$(echo "$real" | sed 's|^/usr/usr/|/usr/|')
        mkdir -p "root$(dirname "$real")"
        cp -L "$library" "root$real"
    done
done
cp "$here/guest.sh" root/init
chmod +x root/init
(cd root && find . | cpio --quiet -o -H newc | gzip -1) >initramfs.gz

timeout 900 qemu-system-x86_64 -accel tcg,thread=multi -smp 2 -m 1536 -nographic -no-reboot -nic none \
    -kernel "$kernel" -initrd initramfs.gz -append "console=ttyS0 quiet panic=-1" >serial.txt 2>&1 </dev/null || true
tr -d '\r' <serial.txt | sed -n '/^1\.\./,$p' | grep -E '^(1\.\.|ok|not ok|# )' || true
tr -d '\r' <serial.txt | grep -q '^# the end' || { echo "not ok - the machine did not get to the end; see $work/serial.txt"; exit 1; }
! tr -d '\r' <serial.txt | grep -q '^not ok'
