#!/bin/sh
# Apache (Debian: apache2-bin 2.4.71-1~deb12u1) that compresses what a server behind it answers (mod_deflate) makes `"3-gzip"` of its ETag
# `"3"`, and hands a client's If-Match on as it came: so who sends back the tag that they got names one that the server has never
# given, and an edit is refused. `Cache-Control: no-transform` and `Vary` prevent neither. One would have guessed that a proxy
# undoes in requests what it does to answers, or keeps from what may not be transformed (RFC 9110, 7.7).
#
# Needs root, Node, curl, apt and unshare. Its folder is temporary, and so is what it lays over the system, in a mount namespace of its own.
set -eu
work=$(mktemp -d -p /dev/shm)
origin=
trap 'kill $origin 2>/dev/null; rm -rf "$work"' EXIT
chmod 755 "$work"
mkdir "$work/up" "$work/work" "$work/root" "$work/deb"
(cd "$work/deb" && apt-get -q download apache2-bin=2.4.71-1~deb12u1 libapr1 libaprutil1 libpcre2-8-0 libuuid1 >"$work/apt" 2>&1) || { cat "$work/apt"; exit 1; }

# Says which If-Match came.
node -e '
const text = "x".repeat(2000);
const server = require("node:http").createServer((request, response) => {
  response.writeHead(200, { etag: "\"3\"", "content-type": "application/json", vary: "Accept-Encoding", "cache-control": "no-transform" });
  response.end(JSON.stringify({ came: request.headers["if-match"] ?? "none", text }));
});
server.listen(0, "127.0.0.1", () => console.log(server.address().port));' >"$work/port" &
origin=$!
until [ -s "$work/port" ]; do sleep 0.1; done
port=$(cat "$work/port")
modules=/usr/lib/apache2/modules
{
  for name in mpm_event authz_core filter deflate proxy proxy_http; do echo "LoadModule ${name}_module $modules/mod_$name.so"; done
  cat <<CONF
ServerName site.example
ServerRoot $work
DefaultRuntimeDir $work
PidFile $work/pid
ErrorLog $work/log
User nobody
Group nogroup
Listen 127.0.0.1:$((port + 1))
ProxyPass / http://127.0.0.1:$port/
AddOutputFilterByType DEFLATE application/json
CONF
} >"$work/apache.conf"

work=$work port=$port unshare -m -p -f --kill-child sh -eu <<'IN'
mount -t overlay overlay -o "lowerdir=/,upperdir=$work/up,workdir=$work/work" "$work/root"
mount --rbind /dev "$work/root/dev"
mount -t proc proc "$work/root/proc"
for deb in "$work"/deb/*.deb; do dpkg-deb --fsys-tarfile "$deb" | tar x -C "$work/root" --keep-directory-symlink; done
chroot "$work/root" /usr/sbin/apache2 -v | head -1 | tee "$work/version"
chroot "$work/root" timeout 20 /usr/sbin/apache2 -X -f "$work/apache.conf" >/dev/null 2>&1 &
url=http://127.0.0.1:$((port + 1))/
for _ in $(seq 40); do curl -s "$url" >/dev/null && break || sleep 0.25; done
curl -s -D "$work/head" -o /dev/null -H 'Accept-Encoding: gzip' "$url"
curl -s --compressed -X PUT -H 'If-Match: "3-gzip"' "$url" | cut -c1-24 >"$work/body"
IN
grep -i '^etag' "$work/head" | tr -d '\r' | tee "$work/said"
cat "$work/body"
grep -q 'Apache/2.4.71' "$work/version"
grep -qix 'etag: "3-gzip"' "$work/said"
grep -q '^{"came":"\\"3-gzip\\""' "$work/body"
echo 'As found: Apache 2.4.71 changes an ETag, and does not change it back.'
