#!/bin/sh
# nullmailer (Debian: nullmailer 1:2.2-4) writes a reply of two lines into the field Diagnostic-Code of a report without folding it: the
# second line begins in the first column, where a parser of RFC 3464 reads another field, or none. One would have guessed that the line
# begins with a space (RFC 5322, 2.2.3). Large providers reply in several lines, with the reason in the last one.
#
# Needs root, Node, apt and unshare. Its folder is temporary, and so is what it lays over the system, in a mount namespace of its own.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d -p /dev/shm)
sink=
trap 'kill $sink 2>/dev/null; rm -rf "$work"' EXIT
chmod 755 "$work"
mkdir "$work/up" "$work/work" "$work/root" "$work/deb"
(cd "$work/deb" && apt-get -q download nullmailer=1:2.2-4 >"$work/apt" 2>&1) || { cat "$work/apt"; exit 1; }

node "$here/smtp-sink.mjs" "$work/taken" "$(printf '550-5.1.1 no such user, see\r\n550 5.1.1 https://customer.example/unknown')" >"$work/port" &
sink=$!
until [ -s "$work/port" ]; do sleep 0.1; done
port=$(cat "$work/port")

work=$work port=$port unshare -m -p -f --kill-child sh -eu <<'IN'
mount -t overlay overlay -o "lowerdir=/,upperdir=$work/up,workdir=$work/work" "$work/root"
mount --rbind /dev "$work/root/dev"
for deb in "$work"/deb/*.deb; do dpkg-deb --fsys-tarfile "$deb" | tar x -C "$work/root" --keep-directory-symlink; done
spool=$work/root/var/spool/nullmailer
mkdir -p "$work/root/etc/nullmailer" "$spool/queue" "$spool/tmp" "$spool/failed"
[ -p "$spool/trigger" ] || mkfifo "$spool/trigger"
# Debian's package makes them the user mail's, and its programs run as that.
chown -R mail "$spool"
chmod 622 "$spool/trigger"
for program in usr/sbin/nullmailer-queue usr/bin/mailq; do chown mail "$work/root/$program"; chmod 4755 "$work/root/$program"; done
echo garage.example >"$work/root/etc/mailname"
echo "127.0.0.1 smtp --port=$port" >"$work/root/etc/nullmailer/remotes"
echo 1 >"$work/root/etc/nullmailer/pausetime"
chroot "$work/root" timeout 30 /usr/sbin/nullmailer-send >"$work/log" 2>&1 &
sleep 1
printf 'From: desk@garage.example\nTo: gone@customer.example\nSubject: Your booking\n\nHi\n' |
  chroot "$work/root" /usr/sbin/sendmail -f desk@garage.example gone@customer.example
for _ in $(seq 20); do [ -s "$work/taken" ] && break; sleep 1; done
IN

sed -n '/^Final-Recipient/,/^$/p' "$work/taken" | tee "$work/said"
grep -qx 'Diagnostic-Code: SMTP; 550-5.1.1 no such user, see' "$work/said"
grep -qx '550 5.1.1 https://customer.example/unknown' "$work/said"
echo 'As found: nullmailer 2.2 does not fold the second line of a reply.'
