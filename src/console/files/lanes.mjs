/** The lanes of a day, which an update may replace: the bookings that may get another time, by id, and what a row of 15 minutes stands for. */
export const lanes = () => document.querySelector('.lanes[data-times]');
export const entryOf = (id) => lanes()?.querySelector(`[data-id="${id}"]`) ?? null;
export const movableAt = (target) =>
  target instanceof Element ? target.closest('.lanes[data-times] .movable') : null;
export const rowPx = () => Number.parseFloat(getComputedStyle(lanes()).gridAutoRows) || 28;
export const rowOf = (entry) => (entry.dataset.atMs - lanes().dataset.fromMs) / lanes().dataset.rowMs;

/** A move in words, and where it leads; null: the booking is not on the page any more. */
export function proposed(move) {
  const [list, entry] = [lanes(), entryOf(move.id)];
  if (entry === null) return null;
  const { fromMs, rowMs, date, open } = list.dataset;
  const { name, time } = entry.dataset;
  const { row, days } = move;
  const label = Number.isInteger(row) ? list.dataset.times.split('|')[row] : time;
  const isSame = days === 0 && row === rowOf(entry);
  const isOffered = !isSame && label !== undefined && (days !== 0 || open[row] === '1');
  const day = new Date(Date.parse(date) + days * 864e5).toLocaleDateString('en-AU', {
    ...{ weekday: 'short', day: 'numeric', month: 'short', timeZone: 'UTC' },
  });
  const to = days === 0 ? label : `${day.replace(',', '')}, ${label}`;
  const keys = isOffered ? 'Enter opens the form, Escape takes it back.' : 'Escape takes it back.';
  const words = isSame
    ? `${name} stays at ${time}.`
    : label === undefined
      ? `${name} from ${time}: what is before or after the hours of this day is not offered.`
      : isOffered
        ? `Move ${name} from ${time} to ${to}.`
        : `${name} from ${time}: closed at ${to}, not offered.`;
  const at = new Date(Number(fromMs) + row * rowMs).toISOString();
  const form = entry.querySelector('.handle').getAttribute('href');
  const href = `${form}?at=${at}${days === 0 ? '' : `&days=${days}`}`;
  return { list, entry, words, keys, label, isSame, isOffered, href };
}
