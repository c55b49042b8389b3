#!/bin/sh
# dma, the mail agent of DragonFly (Debian: dma 0.13-1+b1), writes its bounces with `From: MAILER-DAEMON <>`, without an address, and
# without a delivery report: a text with the remote server's reply. One would have guessed an address there, or a report of RFC 3464.
#
# Needs root, Node, apt and unshare. Its folder is temporary, and so is what it lays over the system, in a mount namespace of its own.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d -p /dev/shm)
trap 'kill $sink 2>/dev/null; rm -rf "$work"' EXIT
chmod 755 "$work"
mkdir "$work/up" "$work/work" "$work/root" "$work/deb"
(cd "$work/deb" && apt-get -q download dma=0.13-1+b1 >"$work/apt" 2>&1) || { cat "$work/apt"; exit 1; }

node "$here/smtp-sink.mjs" "$work/taken" >"$work/port" &
sink=$!
until [ -s "$work/port" ]; do sleep 0.1; done
port=$(cat "$work/port")

work=$work port=$port unshare -m sh -eu <<'IN'
mount -t overlay overlay -o "lowerdir=/,upperdir=$work/up,workdir=$work/work" "$work/root"
dpkg-deb --fsys-tarfile "$work"/deb/dma_*.deb | tar x -C "$work/root" --keep-directory-symlink
mkdir -p "$work/root/var/spool/dma"
chown mail:mail "$work/root/var/spool/dma"
printf 'SMARTHOST 127.0.0.1\nPORT %s\nMAILNAME relay.garage.example\n' "$port" >"$work/root/etc/dma/dma.conf"
printf 'From: desk@garage.example\nTo: gone@customer.example\nSubject: Your booking\n\nHi\n' |
  chroot "$work/root" /usr/sbin/dma -D -f bounce@reply.garage.example gone@customer.example
IN

for _ in 1 2 3 4 5 6 7 8 9 10; do [ -s "$work/taken" ] && break; sleep 1; done
cat "$work/taken"
grep -q '^MAIL FROM:<>' "$work/taken"
grep -q '^From: MAILER-DAEMON <>$' "$work/taken"
grep -q '^This is the DragonFly Mail Agent v0.13' "$work/taken"
grep -q '^550 5.1.1 <gone@customer.example>: no such user$' "$work/taken"
! grep -qi '^Content-Type:\|^Final-Recipient:' "$work/taken"
echo 'As found: dma 0.13 bounces From: MAILER-DAEMON <>, as text.'
