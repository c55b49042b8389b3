/** The clock: what time it is, and moving it forward. */
import { ask } from './api.mjs';

const time = document.querySelector('#now');
/** False with a real gateway: then the clock can't be moved, and SMS can't be answered. */
export const hasClock = time !== null;
const moved = document.querySelector('#moved');
const reset = document.querySelector('#reset');

const moment = new Intl.DateTimeFormat(undefined, {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  timeZoneName: 'short',
});
/** Business time at this page's own time 0, in milliseconds; it ticks on between two responses. */
let startMs = null;

const units = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
];

/** 90061 → `1 day 1 hour 1 minute 1 second` */
function duration(seconds) {
  const parts = [];
  let rest = seconds;
  for (const [name, size] of units) {
    const amount = Math.floor(rest / size);
    rest -= amount * size;
    if (amount > 0) parts.push(`${amount} ${name}${amount === 1 ? '' : 's'}`);
  }
  return parts.join(' ');
}

export function tick() {
  if (startMs === null) return;
  const now = new Date(startMs + performance.now());
  time.dateTime = now.toISOString();
  time.textContent = moment.format(now);
}

function show({ now, advanceSeconds }) {
  startMs = Date.parse(now) - performance.now();
  tick();
  const text = advanceSeconds === 0 ? 'Not moved.' : `Moved forward by ${duration(advanceSeconds)}.`;
  if (moved.textContent !== text) moved.textContent = text;
  reset.hidden = advanceSeconds === 0;
}

export async function readClock() {
  show(await ask('sandbox/clock'));
}

export async function moveClock(advanceSeconds) {
  show(await ask('sandbox/clock', { advanceSeconds }));
}

export async function resetClock() {
  show(await ask('sandbox/clock', undefined, 'DELETE'));
}
