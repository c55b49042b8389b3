/** Times in the viewer's own zone. */

const short = new Intl.DateTimeFormat(undefined, {
  day: 'numeric',
  month: 'short',
  hour: 'numeric',
  minute: '2-digit',
});
const long = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'long' });

/** `Australia/Melbourne` */
export const zone = new Intl.DateTimeFormat().resolvedOptions().timeZone;

/** For lists: `22 Nov, 2:05 pm`. */
export const shortly = (at) => short.format(new Date(at));

/** With the weekday and the zone. */
export const wholly = (at) => long.format(new Date(at));
