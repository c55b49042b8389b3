#!/bin/sh
# Squid (Debian: squid 5.7-2+deb12u6) in front of a server of one's own (accel, originserver) keeps the header Authorization to itself,
# any scheme, unless the line cache_peer has login=PASSTHRU: then a request with a bearer token arrives without it, and the server
# answers 401. One would have guessed that a reverse proxy passes it on, as nginx, Apache, HAProxy and Caddy do.
#
# Needs root, Node, curl, apt and unshare. Its folder is temporary, and so is what it lays over the system, in a mount namespace of its own.
set -eu
work=$(mktemp -d -p /dev/shm)
origin=
trap 'kill $origin 2>/dev/null; rm -rf "$work"' EXIT
chmod 755 "$work"
mkdir "$work/up" "$work/work" "$work/root" "$work/deb"
(cd "$work/deb" && apt-get -q download squid=5.7-2+deb12u6 squid-common=5.7-2+deb12u6 libecap3 libnetfilter-conntrack3 libnfnetlink0 libmnl0 libltdl7 libdb5.3 libxml2 libexpat1 libgssapi-krb5-2 libkrb5-3 libk5crypto3 libkrb5support0 libkeyutils1 >"$work/apt" 2>&1) || { cat "$work/apt"; exit 1; }

# Says what came.
node -e '
const server = require("node:http").createServer((request, response) => response.end(`${request.headers.authorization ?? "none"}\n`));
server.listen(0, "127.0.0.1", () => console.log(server.address().port));' >"$work/port" &
origin=$!
until [ -s "$work/port" ]; do sleep 0.1; done
port=$(cat "$work/port")

for login in "" login=PASSTHRU; do
  cat >"$work/squid.conf" <<CONF
http_port 127.0.0.1:$((port + 1)) accel defaultsite=site.example
cache_peer 127.0.0.1 parent $port 0 no-query originserver $login
http_access allow all
cache deny all
access_log none
cache_log $work/log
pid_filename $work/pid
visible_hostname site.example
pinger_enable off
CONF
  rm -f "$work/pid"
  work=$work port=$port login=$login unshare -m -p -f --kill-child sh -eu <<'IN'
mount -t overlay overlay -o "lowerdir=/,upperdir=$work/up,workdir=$work/work" "$work/root"
mount --rbind /dev "$work/root/dev"
mount -t proc proc "$work/root/proc"
for deb in "$work"/deb/*.deb; do dpkg-deb --fsys-tarfile "$deb" | tar x -C "$work/root" --keep-directory-symlink; done
grep -q '^proxy:' "$work/root/etc/passwd" || echo 'proxy:x:13:13::/bin:/bin/false' >>"$work/root/etc/passwd"
chmod 777 "$work/root$work" 2>/dev/null || true
chroot "$work/root" /usr/sbin/squid -v | head -1 >"$work/version"
chroot "$work/root" timeout 20 /usr/sbin/squid -N -f "$work/squid.conf" >/dev/null 2>&1 &
for _ in $(seq 40); do
  said=$(curl -s -H 'Authorization: Bearer abc' "http://127.0.0.1:$((port + 1))/" || true)
  [ -n "$said" ] && break
  sleep 0.5
done
echo "with \"$login\": $said" | tee -a "$work/said"
IN
done
cat "$work/version"
grep -q 'Version 5.7' "$work/version"
grep -qx 'with "": none' "$work/said"
grep -qx 'with "login=PASSTHRU": Bearer abc' "$work/said"
echo 'As found: Squid 5.7 passes Authorization on with login=PASSTHRU alone.'
