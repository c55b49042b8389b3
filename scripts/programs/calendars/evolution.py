"""What the library of Evolution's calendar (libical, as evolution-data-server wraps it) reads of a file."""
import sys
import gi

gi.require_version("ECal", "2.0")
gi.require_version("ICalGLib", "3.0")
from gi.repository import ECal, ICalGLib

calendar = ICalGLib.Component.new_from_string(open(sys.argv[1], encoding="utf-8").read())
if calendar.count_errors():
    raise SystemExit(f"{calendar.count_errors()} errors")
event = calendar.get_first_component(ICalGLib.ComponentKind.VEVENT_COMPONENT)
while event is not None:
    whole = ECal.Component.new_from_icalcomponent(event.clone())
    start = event.get_dtstart()
    print(whole.get_summary().get_value(), ICalGLib.Time.as_ical_string(start), sep=" | ")
    event = calendar.get_next_component(ICalGLib.ComponentKind.VEVENT_COMPONENT)
