/** How long ago something was, as people say it. */

const minuteMs = 60_000;
const units = [
  ['day', 24 * 60 * minuteMs],
  ['hour', 60 * minuteMs],
  ['minute', minuteMs],
] as const;

/** `just now`, `1 minute ago`, `3 hours ago`, `2 days ago`: whole units, the largest that fits; also of an instant ahead it is `just now`. */
export function timeAgo(instant: Date, now: Date): string {
  const agoMs = now.getTime() - instant.getTime();
  const unit = units.find(([, ms]) => agoMs >= ms);
  if (unit === undefined) return 'just now';
  const [name, ms] = unit;
  const count = Math.floor(agoMs / ms);
  return `${count} ${name}${count === 1 ? '' : 's'} ago`;
}
