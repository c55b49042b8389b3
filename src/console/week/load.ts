/** The load of an hour in words, and as a bar. */
import { html, type SafeHtml } from '@remix-run/html-template';
import type { Cell, WeekDay } from './read.ts';

type Load = Pick<Cell, 'used' | 'closed' | 'isInHours'>;

/** `3 of 4 bays`, with its details. */
export function loadOf({ used, closed, isInHours }: Load, bays: number): string {
  if (!isInHours && used === 0) return 'closed';
  const about = !isInHours
    ? 'closed'
    : closed > 0 && closed >= bays
      ? 'all closed'
      : fullness({ used, closed }, bays);
  return [`${used} of ${bays} bays`, about].filter(Boolean).join(', ');
}

function fullness({ used, closed }: Pick<Load, 'used' | 'closed'>, bays: number): string {
  const some = closed > 0 ? `${closed} closed` : '';
  const full = used > bays ? 'too many' : used === bays ? 'full' : '';
  return [some, full].filter(Boolean).join(', ');
}

/** The height of the bar in eighths, at least one if the hour is not empty. */
export function level({ used, isInHours }: Load, bays: number): SafeHtml | null {
  if (!isInHours && used === 0) return null;
  const eighths = used === 0 ? 0 : Math.min(8, Math.max(1, Math.floor((used / Math.max(bays, 1)) * 8)));
  return html`<span class="level u${eighths}${used > bays ? ' over' : ''}" aria-hidden="true"></span>`;
}

/** A table with the same hours of all days in rows, for screen readers. */
export function loadTable(
  days: readonly WeekDay[],
  keys: readonly string[],
  named: (day: WeekDay) => string,
): SafeHtml {
  const cells = days.map((day) => new Map(day.cells.map((cell) => [cell.key, cell])));
  const rows = keys.map(
    (key) =>
      html`<tr><th scope="row">${hourOf(key)}</th>${days.map((day, n) => {
        const cell = cells[n]?.get(key);
        return html`<td>${cell === undefined ? 'closed' : loadOf(cell, day.plan.bays)}</td>`;
      })}</tr>`,
  );
  return html`<details class="card"><summary>The load as a table</summary><div class="wide-table" tabindex="0" role="region" aria-label="The load as a table"><table class="list"><caption class="unseen">Bays in use, by hour and day</caption><thead><tr><th scope="col">Hour</th>${days.map((day) => html`<th scope="col">${named(day)}</th>`)}</tr></thead><tbody>${rows}</tbody></table></div></details>`;
}

/** `2:00 am`; for an hour that clocks show twice, also which of the two. */
function hourOf(key: string): string {
  const [hour = '', nth] = key.split('-');
  const h = Number(hour);
  const time = `${h % 12 || 12}:00 ${h < 12 ? 'am' : 'pm'}`;
  return nth === '0' ? time : `${time}, the second`;
}
