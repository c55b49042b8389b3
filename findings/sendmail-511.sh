#!/bin/sh
# Sendmail (Debian: sendmail-bin 8.17.1.9-2+deb12u2) reports each refusal of a recipient with 550 and no code of its own as `Status: 5.1.1`
# and "User unknown", whatever the remote server said: here that the sender's address is on a list. One would have guessed that 5.1.1 in a
# report means an unknown mailbox (RFC 3463).
#
# Needs root, Node, apt and unshare. Its folder is temporary, and so is what it lays over the system, in a mount namespace of its own.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d -p /dev/shm)
sink=
trap 'kill $sink 2>/dev/null; rm -rf "$work"' EXIT
chmod 755 "$work"
mkdir "$work/up" "$work/work" "$work/root" "$work/deb"
(cd "$work/deb" && apt-get -q download sendmail-bin=8.17.1.9-2+deb12u2 sendmail-base=8.17.1.9-2+deb12u2 \
  sendmail-cf=8.17.1.9-2+deb12u2 m4 libsigsegv2 libmilter1.0.1 libwrap0 liblockfile1 libsasl2-2 libldap-2.5-0 libdb5.3 \
  >"$work/apt" 2>&1) || { cat "$work/apt"; exit 1; }

node "$here/smtp-sink.mjs" "$work/taken" "550 Rejected: 203.0.113.9 is on our list" >"$work/port" &
sink=$!
until [ -s "$work/port" ]; do sleep 0.1; done
port=$(cat "$work/port")

# All e-mail goes to the sink, and no name is looked up.
work=$work port=$port unshare -m -p -f --kill-child sh -eu <<'IN'
root=$work/root
mount -t overlay overlay -o "lowerdir=/,upperdir=$work/up,workdir=$work/work" "$root"
mount --rbind /dev "$root/dev"
for deb in "$work"/deb/*.deb; do dpkg-deb --fsys-tarfile "$deb" | tar x -C "$root" --keep-directory-symlink; done
for user in smmta:64801 smmsp:64802; do
  echo "${user%:*}:x:${user#*:}:${user#*:}::/:/bin/false" >>"$root/etc/passwd"
  echo "${user%:*}:x:${user#*:}:" >>"$root/etc/group"
done
mkdir -p "$root/var/spool/mqueue" "$root/etc/mail"
chmod 700 "$root/var/spool/mqueue"
touch "$root/etc/mail/local-host-names" "$root/etc/mail/trusted-users"
printf 'hosts files\naliases files\npasswd files\n' >"$root/etc/mail/service.switch"
echo 'hosts: files' >"$root/etc/nsswitch.conf"
echo '127.0.0.1 localhost relay.garage.example' >"$root/etc/hosts"
rm -f "$root/etc/resolv.conf"
printf 'nameserver 127.0.0.1\noptions timeout:1 attempts:1\n' >"$root/etc/resolv.conf"
cat >"$root/etc/mail/one.mc" <<MC
include(\`/usr/share/sendmail/cf/m4/cf.m4')
OSTYPE(\`linux')
define(\`ESMTP_MAILER_ARGS',\`TCP [127.0.0.1] $port')
define(\`confDOMAIN_NAME',\`relay.garage.example')
define(\`confPID_FILE',\`/var/spool/mqueue/pid')
define(\`confSERVICE_SWITCH_FILE',\`/etc/mail/service.switch')
FEATURE(\`nocanonify')
MAILER(\`smtp')
MC
chroot "$root" sh -c 'cd /usr/share/sendmail/cf/cf && m4 /etc/mail/one.mc >/etc/mail/sendmail.cf'
printf 'From: desk@garage.example\nTo: gone@customer.example\nSubject: Your booking\n\nHi\n' |
  timeout 40 chroot "$root" /usr/libexec/sendmail/sendmail -C /etc/mail/sendmail.cf -odi -oem \
    -f bounce@reply.garage.example gone@customer.example || true
for _ in 1 2 3 4 5 6 7 8 9 10; do [ -s "$work/taken" ] && break; sleep 1; done
IN

cat "$work/taken"
grep -qi '^MAIL FROM:<>' "$work/taken"
grep -q 'relay.garage.example (8.17.1.9/8.17.1.9)' "$work/taken"
grep -q '^Diagnostic-Code: SMTP; 550 Rejected: 203.0.113.9 is on our list' "$work/taken"
grep -q '^Status: 5.1.1' "$work/taken"
grep -q '^550 5.1.1 gone@customer.example... User unknown' "$work/taken"
echo 'As found: Sendmail 8.17.1.9 reports a block list as 5.1.1, User unknown.'
