# Fetches the feed from its address into a folder, twice: the second time nothing may change.
cd /out/in && /usr/bin/python3 -m http.server --bind 127.0.0.1 8000 > /dev/null 2>&1 &
cat > /root/config <<'CONF'
[general]
status_path = "/root/status"
[pair feed]
a = "file"
b = "http"
collections = null
[storage file]
type = "filesystem"
path = "/root/events"
fileext = ".ics"
[storage http]
type = "http"
url = "http://127.0.0.1:8000/feed.ics"
CONF
sleep 2
mkdir /root/events
export VDIRSYNCER_CONFIG=/root/config HOME=/root PATH=/usr/bin:/bin:/usr/sbin
yes | vdirsyncer discover > /out/log 2>&1
vdirsyncer sync >> /out/log 2>&1
(cd /root/events && cat $(ls) | sha256sum) > /root/before
vdirsyncer sync > /out/second 2>&1
(cd /root/events && cat $(ls) | sha256sum) | diff -q - /root/before && echo unchanged > /out/feed
grep -h '^SUMMARY' /root/events/*.ics | sort >> /out/feed
