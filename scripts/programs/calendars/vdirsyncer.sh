# Fetches the feed from its address into a folder, twice: the second time nothing may change.
cd /out/in && /usr/bin/python3 -m http.server --bind 127.0.0.1 8000 > /dev/null 2>&1 &
cat > /srv/config <<'CONF'
[general]
status_path = "/srv/status"
[pair feed]
a = "file"
b = "http"
collections = null
[storage file]
type = "filesystem"
path = "/srv/events"
fileext = ".ics"
[storage http]
type = "http"
url = "http://127.0.0.1:8000/feed.ics"
CONF
sleep 2
mkdir /srv/events
export VDIRSYNCER_CONFIG=/srv/config HOME=/srv PATH=/usr/bin:/bin:/usr/sbin
yes | vdirsyncer discover > /out/log 2>&1
vdirsyncer sync >> /out/log 2>&1
(cd /srv/events && cat $(ls) | sha256sum) > /srv/before
vdirsyncer sync > /out/second 2>&1
(cd /srv/events && cat $(ls) | sha256sum) | diff -q - /srv/before && echo unchanged > /out/feed
grep -h '^SUMMARY' /srv/events/*.ics | sort >> /out/feed
