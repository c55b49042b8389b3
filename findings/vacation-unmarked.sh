#!/bin/sh
# vacation (Debian: vacation 3.3.3) answers an e-mail with two headers, To and Subject: nothing says that a program wrote it, neither
# `Auto-Submitted` (RFC 3834, 5) nor `Precedence`. One would have guessed that the program that gave such answers their name marks them.
# So an answer is told from a person's e-mail by where it goes: to the sender of the envelope, not to the author or to Reply-To.
#
# Needs root, apt and unshare. Its folder is temporary, and so is what it lays over the system, in a mount namespace of its own.
set -eu
work=$(mktemp -d -p /dev/shm)
trap 'rm -rf "$work"' EXIT
chmod 755 "$work"
mkdir "$work/up" "$work/work" "$work/root" "$work/deb"
(cd "$work/deb" && apt-get -q download vacation=3.3.3 libdb5.3 >"$work/apt" 2>&1) || { cat "$work/apt"; exit 1; }

work=$work unshare -m -p -f --kill-child sh -eu <<'IN'
root=$work/root
mount -t overlay overlay -o "lowerdir=/,upperdir=$work/up,workdir=$work/work" "$root"
mount --rbind /dev "$root/dev"
for deb in "$work"/deb/*.deb; do dpkg-deb --fsys-tarfile "$deb" | tar x -C "$root" --keep-directory-symlink; done
echo 'desk:x:64803:64803::/home/desk:/bin/sh' >>"$root/etc/passwd"
mkdir -p "$root/home/desk" "$root/answers"
printf 'Subject: Away\n\nBack on Monday.\n' >"$root/home/desk/.vacation.msg"
# In the place of sendmail: keeps what it is handed.
printf '#!/bin/sh\ncat >/answers/part\necho "$@" >/answers/arguments\nmv /answers/part /answers/answer\n' >"$root/usr/sbin/sendmail"
chmod 755 "$root/usr/sbin/sendmail"
printf '%s\n' 'From envelope@else.example Wed Apr  4 15:59:00 2029' 'From: Author <author@else.example>' \
  'Reply-To: replies@else.example' 'To: desk@garage.example' 'Subject: Hello' 'Message-ID: <1@else.example>' '' 'Hi' >"$root/came"
chown -R 64803:64803 "$root/home/desk" "$root/answers"
chroot --userspec=64803:64803 "$root" env HOME=/home/desk sh -c \
  'cd && vacation -i && vacation -d -a desk@garage.example desk </came'
# It hands its answer over in the background.
for _ in 1 2 3 4 5 6 7 8 9 10; do [ -s "$root/answers/answer" ] && break; sleep 1; done
cp "$root/answers/answer" "$root/answers/arguments" "$work"
IN

cat "$work/arguments" "$work/answer"
[ "$(sed '/^$/q' "$work/answer" | grep -c ':')" = 2 ]
grep -q '^To: envelope@else.example$' "$work/answer"
grep -q '^Subject: Away$' "$work/answer"
! grep -Eqi '^(Auto-Submitted|Precedence|X-Auto)' "$work/answer"
echo 'As found: vacation 3.3.3 answers the sender of the envelope, and nothing says that a program wrote it.'
