"""What icalendar reads of a file."""
import sys
from icalendar import Calendar

calendar = Calendar.from_ical(open(sys.argv[1], "rb").read())
for event in calendar.walk("VEVENT"):
    if event.errors:
        raise SystemExit(event.errors)
    print(event["SUMMARY"], event.decoded("DTSTART").isoformat(), sep=" | ")
