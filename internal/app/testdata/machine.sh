# Makes a machine of its own out of this one, and becomes its service manager. It runs as the first process of namespaces of its
# own. Whatever is written there lies over this machine's disk in memory, and is gone with it: nothing of this one is changed.
set -e
[ "$2" ] || exec unshare --cgroup bash "$0" "$1" within # a tree of groups that begins with its own
below=$1
mount --make-rprivate /
mount -t tmpfs -o size=1g,mode=755 machine "$below"
mkdir "$below/upper" "$below/work" "$below/disk"
mount -t overlay machine -o "lowerdir=/,upperdir=$below/upper,workdir=$below/work" "$below/disk"
cd "$below/disk"
mount -t proc proc proc
mount -t sysfs -o ro sysfs sys
mount -t cgroup2 cgroup2 sys/fs/cgroup 2>/dev/null || { mount -t tmpfs none sys/fs/cgroup && mkdir sys/fs/cgroup/unified && mount -t cgroup2 cgroup2 sys/fs/cgroup/unified; }
mount -t tmpfs -o mode=755 run run
mount -t tmpfs -o mode=1777 tmp tmp
mount -t tmpfs -o mode=1777 tmp var/tmp
mount -t tmpfs -o mode=755 dev dev
for node in null zero full random urandom tty; do touch "dev/$node" && mount --bind "/dev/$node" "dev/$node"; done
ln -s /proc/self/fd dev/fd
mkdir dev/shm dev/pts
mount --bind /dev/shm dev/shm # where the database server of the tests has its socket
mount -t devpts -o newinstance,ptmxmode=0666 devpts dev/pts
ln -s pts/ptmx dev/ptmx
# Of all that this machine would start, the log alone is left.
rm -rf etc/systemd/system/*.wants etc/systemd/system/*.requires var/log/journal
for unit in {usr/,}lib/systemd/system/{sysinit,basic,timers,sockets,local-fs}.target.wants/*; do
  case $unit in *'*'|*journald*) ;; *) ln -sf /dev/null "etc/systemd/system/${unit##*/}" ;; esac
done
printf '[Unit]\nDescription=a machine of its own\nRequires=basic.target\nAfter=basic.target\n' >etc/systemd/system/machine.target
useradd --root "$PWD" --create-home admin
printf 'admin ALL=(ALL:ALL) NOPASSWD: ALL\n' >etc/sudoers.d/admin
mkdir mnt/below
pivot_root . mnt/below
umount -l /mnt/below
[ "$(stat -f -c %T /)" = overlayfs ] && [ "$(stat -f -c %T /tmp)" = tmpfs ] # or it would be this machine's own
exec env -i container=machine PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin /lib/systemd/systemd --unit=machine.target --log-target=console --show-status=no
