# read.sh PROGRAM : has it read the feed and the invitation, and keeps what it says in /out.
for name in feed invitation; do /usr/bin/python3 -P "/programs/calendars/$1.py" "/out/in/$name.ics" > "/out/$name"; done
