#!/bin/sh
# OpenSMTPD (Debian: opensmtpd 6.8.0p2-4+b4) reports an e-mail that it has given up as `Action: delayed`, with the text "only a temporary
# failure report … kept in the queue … DO NOT NEED to re-send". Only "Envelope expired" tells that nothing follows. One would have
# guessed `Action: failed` (RFC 3464, 2.3.3).
#
# Needs root, Node, apt and unshare. Its folder is temporary, and so is what it lays over the system, in a mount namespace of its own.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d -p /dev/shm)
sink=
trap 'kill $sink 2>/dev/null; rm -rf "$work"' EXIT
chmod 755 "$work"
mkdir "$work/up" "$work/work" "$work/root" "$work/deb"
(cd "$work/deb" && apt-get -q download opensmtpd=6.8.0p2-4+b4 libevent-2.1-7 libdb5.3 >"$work/apt" 2>&1) || { cat "$work/apt"; exit 1; }

node "$here/smtp-sink.mjs" "$work/taken" "550 5.1.1 no such user" >"$work/port" &
sink=$!
until [ -s "$work/port" ]; do sleep 0.1; done
port=$(cat "$work/port")

# Nobody listens on port 9 of 127.0.0.2: an e-mail to customer.example waits, and expires after five seconds.
work=$work port=$port unshare -m -p -f --kill-child sh -eu <<'IN'
mount -t overlay overlay -o "lowerdir=/,upperdir=$work/up,workdir=$work/work" "$work/root"
mount --rbind /dev "$work/root/dev"
for deb in "$work"/deb/*.deb; do dpkg-deb --fsys-tarfile "$deb" | tar x -C "$work/root" --keep-directory-symlink; done
for user in opensmtpd:64801 opensmtpq:64802; do
  echo "${user%:*}:x:${user#*:}:${user#*:}::/var/lib/opensmtpd/empty:/bin/false" >>"$work/root/etc/passwd"
  echo "${user%:*}:x:${user#*:}:" >>"$work/root/etc/group"
done
mkdir -p "$work/root/var/lib/opensmtpd/empty" "$work/root/var/spool/smtpd"
chmod 711 "$work/root/var/spool/smtpd"
chown :64802 "$work/root/usr/sbin/smtpctl"
chmod 2755 "$work/root/usr/sbin/smtpctl"
ln -s /usr/sbin/smtpctl "$work/root/sendmail"
printf '%s\n' 'queue ttl 5s' 'listen on socket' \
  'action "dead" relay host "smtp://127.0.0.2:9"' "action \"out\" relay host \"smtp://127.0.0.1:$port\"" \
  'match from any for domain "customer.example" action "dead"' 'match from any for any action "out"' \
  >"$work/root/etc/smtpd.conf"
chroot "$work/root" timeout 40 /usr/sbin/smtpd -d >"$work/log" 2>&1 &
for _ in 1 2 3 4 5 6 7 8 9 10; do [ -S "$work/root/var/run/smtpd.sock" ] && break; sleep 0.5; done
printf 'From: desk@garage.example\nTo: kim@customer.example\nSubject: Your booking\n\nHi\n' |
  chroot "$work/root" /sendmail -f bounce@reply.garage.example kim@customer.example
for _ in $(seq 30); do [ -s "$work/taken" ] && break; sleep 1; done
IN

cat "$work/taken"
grep -q '^MAIL FROM:<>' "$work/taken"
grep -q '^kim@customer.example: Envelope expired$' "$work/taken"
grep -q '^Action: delayed$' "$work/taken"
grep -q '^Status: 4.4.7$' "$work/taken"
grep -q 'DO NOT NEED to re-send' "$work/taken"
grep -q 'stat=Envelope expired' "$work/log"
echo 'As found: OpenSMTPD 6.8.0p2 gives up under Action: delayed.'
