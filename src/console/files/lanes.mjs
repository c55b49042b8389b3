/**
 * The days of a page, which an update may replace: what their rows of 15 minutes stand for, and the bookings that may get another time, by
 * id. Today has one day, whose lanes are a scale of time; Week has seven, each with a cell for an hour.
 */
export const days = () => [...document.querySelectorAll('[data-times]')];
export const dayOn = (date) => document.querySelector(`[data-times][data-date="${date}"]`);
export const entryOf = (id) => document.querySelector(`[data-times] [data-id="${id}"]`);
export const movableAt = (target) =>
  target instanceof Element && target.closest('.attend') === null
    ? target.closest('[data-times] .movable')
    : null;
export const dayOf = (entry) => entry.closest('[data-times]');
export const rowPx = (day) => Number.parseFloat(getComputedStyle(day).gridAutoRows) || 28;
export const rowOf = (entry) =>
  (entry.dataset.atMs - dayOf(entry).dataset.fromMs) / dayOf(entry).dataset.rowMs;

const timesOf = (day) => day.dataset.times.split('|');
const cellsOf = (day) => [...day.querySelectorAll('[data-row]')];

/** The cell of a row, and how far down in it the row begins, 0 to 1; undefined: the day has none. */
export function cellOf(day, row) {
  const cells = cellsOf(day);
  const nth = cells.findLastIndex((cell) => Number(cell.dataset.row) <= row);
  const cell = cells[nth];
  if (cell === undefined) return undefined;
  const rows = rowsOf(day, cells, nth);
  return { cell, part: (row - cell.dataset.row) / rows };
}

const aimPx = 12;

const rowsOf = (day, cells, nth) =>
  Number(cells[nth + 1]?.dataset.row ?? day.dataset.open.length) - cells[nth].dataset.row;

/** How far a point is from a range. */
const away = (at, from, until) => Math.max(from - at, at - until, 0);

/** The day with its row at a point of the window, which is the cell's of `entry` as long as it is there; null: no day has cells there. */
export function placeAt(x, y, entry) {
  const near = days()
    .map((day) => ({ day, box: day.getBoundingClientRect() }))
    .filter(({ box }) => x >= box.left && x < box.right)
    .toSorted(
      (one, other) => away(y, one.box.top, one.box.bottom) - away(y, other.box.top, other.box.bottom),
    );
  const day = near[0]?.day;
  if (day === undefined) return null;
  const cells = cellsOf(day);
  const boxes = cells.map((cell) => cell.getBoundingClientRect());
  const nth = boxes.findLastIndex(({ top }) => top <= y);
  if (nth < 0) return { day, row: -1 };
  const { top, bottom, height } = boxes[nth];
  if (y >= bottom) return { day, row: day.dataset.open.length };
  if (cells[nth].contains(entry)) return { day, row: rowOf(entry) };
  const rows = rowsOf(day, cells, nth);
  // In a low cell nobody can aim at a quarter.
  const aims = height >= rows * aimPx ? rows : height >= 2 * aimPx ? 2 : 1;
  const row = Math.floor(Math.floor(((y - top) / height) * aims) * (rows / aims));
  return { day, row: Number(cells[nth].dataset.row) + row };
}

/** The row of another day at which clocks show what they show at this one; -1: it has none. */
function sameTimeOn(other, day, row) {
  const whole = Math.floor(row);
  const at = timesOf(other).indexOf(timesOf(day)[whole]);
  return at < 0 ? -1 : at + row - whole;
}

/** Which day rows are counted on, and from which instant. */
export const instantOf = ({ dataset: { date, fromMs } }) => ({ date, fromMs });

/** A move that many days on: to the next day of the page at the same time; past its first and last, that many days from there. */
export function daysOn({ date, row, days: later, wanted: before }, by) {
  const [all, day] = [days(), dayOn(date)];
  const next = later === 0 ? all[all.indexOf(day) + by] : undefined;
  if (next === undefined) return { days: later + by };
  // On the way there may be days without that time.
  const wanted = row >= 0 && row < day.dataset.open.length ? { date, row } : before;
  const same = wanted === undefined ? -1 : sameTimeOn(next, dayOn(wanted.date), wanted.row);
  return { ...instantOf(next), row: same, wanted };
}

/** `Tue 5 Mar` */
function nameOf(date) {
  const day = { weekday: 'short', day: 'numeric', month: 'short', timeZone: 'UTC' };
  return new Date(date).toLocaleDateString('en-AU', day).replace(',', '');
}

/** A move in words, and where it leads; null: the booking, or the day, is not on the page any more. */
export function proposed(move) {
  const [day, entry] = [dayOn(move.date), entryOf(move.id)];
  if (entry === null || day === null) return null;
  const { fromMs, rowMs, date, open, times } = day.dataset;
  const { name, time } = entry.dataset;
  const { row, days: later } = move;
  const isOwn = later === 0 && day === dayOf(entry);
  const label = Number.isInteger(row) ? (times === '' ? undefined : timesOf(day)[row]) : time;
  const isSame = isOwn && row === rowOf(entry);
  const isOffered = !isSame && label !== undefined && (later !== 0 || open[Math.floor(row)] === '1');
  const on = isOwn ? 'this day' : nameOf(Date.parse(date) + later * 864e5);
  const to = isOwn ? label : `${on}, ${label}`;
  const keys = isOffered ? 'Enter opens the form, Escape takes it back.' : 'Escape takes it back.';
  const words = isSame
    ? `${name} stays at ${time}.`
    : label === undefined
      ? `${name} from ${time}: what is before or after the hours of ${on} is not offered.`
      : isOffered
        ? `Move ${name} from ${time} to ${to}.`
        : `${name} from ${time}: closed at ${to}, not offered.`;
  const at = new Date(Number(fromMs) + row * rowMs).toISOString();
  const form = entry.querySelector('.handle').getAttribute('href');
  const href = `${form}?at=${at}${later === 0 ? '' : `&days=${later}`}`;
  return { day, entry, words, keys, label, isSame, isOffered, href };
}
