/** The descriptions of this folder's operations below their first paragraph: a list in Markdown, an item each. */

export const listAvailabilitiesDetails = [
  "**Links**: availabilities need a link that is on. The catalogue is readable also where it is off, as one's own " +
    'bookings are.',
  '**`open`** says that the day has hours, also when no slot fits into them.',
  '**Slots of ranges** whose edges lie in the hour that daylight saving repeats may overlap each other; a booking at an ' +
    'instant that two hold is of the later one.',
  '**Breaks** are reported from the end of a range, in steps of `slotMinutes`, while they begin before the next range. A ' +
    'break from which the work would not be done by closing time is `closed`, as that comes first.',
  '**A custom day** is reported as `custom`: closed, one entry, also when its weekday is closed; cut, each slot start of ' +
    "its weekday's hours that lies outside its own, also after its closing time. Its weekday's breaks are not reported.",
  '**`pickupTimes`** of a custom day that names none: those of its weekday from its opening to its closing time; none ' +
    'when it is closed. Pickup times that are past are shown.',
  "**`past`** is a slot that has begun. `leadTime` counts from now to the slot's start. `horizonDays` counts local dates " +
    'from today.',
  '**`catalogId` with `serviceCategory`**: the service counts, as in a booking.',
] as const;
