"""What vobject reads of a file."""
import sys
import vobject

calendar = vobject.readOne(open(sys.argv[1], encoding="utf-8").read())
for event in calendar.vevent_list:
    start = event.dtstart.value
    print(event.summary.value, start.isoformat(), sep=" | ")
