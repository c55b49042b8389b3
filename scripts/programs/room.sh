#!/bin/sh
# room.sh OUT COMMAND PACKAGE… : installs Debian's packages into a copy of this machine that is gone with the process, and runs the
# command there, alone on its loopback. Changes nothing of the machine. Run as root, by `unshare --mount --uts --ipc`. What it writes to
# /out is left in OUT; /programs is this folder.
set -eu
out=$1 command=$2
shift 2
programs=$(dirname "$(readlink -f "$0")")
base=$out/room
mkdir "$base"
mount --make-rprivate /
mount -t tmpfs -o size=4g room "$base"
mkdir "$base/upper" "$base/work" "$base/root"
mount -t overlay overlay -o "lowerdir=/,upperdir=$base/upper,workdir=$base/work" "$base/root"
root=$base/root
mount --rbind /dev "$root/dev"
mount -t proc proc "$root/proc"
mkdir "$root/out" "$root/programs"
mount --bind "$out" "$root/out"
mount --bind -o ro "$programs" "$root/programs"
# Debian starts no service of a package.
printf '#!/bin/sh\nexit 101\n' > "$root/usr/sbin/policy-rc.d"
chmod 755 "$root/usr/sbin/policy-rc.d"
install() {
  chroot "$root" env DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends "$@"
}
if [ $# -gt 0 ]; then
  {
    install "$@" || { chroot "$root" apt-get -qq update && install "$@"; }
  } > "$out/apt.log" 2>&1 || { tail -n 3 "$out/apt.log" >&2; exit 69; }
  for package; do chroot "$root" dpkg-query -W -f '${Package} ${Version}\n' "${package%%=*}"; done > "$out/versions"
fi
hostname mail.motors.example
exec unshare --net --pid --fork --kill-child chroot "$root" sh -c "
  mount -t proc proc /proc; ip link set lo up
  printf '127.0.0.1 localhost mail.motors.example\n127.0.0.9 else.example\n' > /etc/hosts
  echo nameserver 127.0.0.1 > /etc/resolv.conf; echo mail.motors.example > /etc/mailname
  cd /programs; exec $command"
