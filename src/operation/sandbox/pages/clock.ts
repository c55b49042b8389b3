/** The card of the movable clock, and what its forms ask for. */
import { html, type SafeHtml } from '@remix-run/html-template';
import type { Clock } from '#base/clock.ts';
import { formatInstant } from '#base/values/instant.ts';
import { button } from '#platform/pages/components.ts';
import type { Form } from '#platform/pages/form.ts';
import { timeElement } from './parts.ts';

const units = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const;

/** 90061 → `1 day 1 hour 1 minute 1 second` */
function duration(seconds: number): string {
  const parts: string[] = [];
  let rest = seconds;
  for (const [name, size] of units) {
    const amount = Math.floor(rest / size);
    rest -= amount * size;
    if (amount > 0) parts.push(`${amount} ${name}${amount === 1 ? '' : 's'}`);
  }
  return parts.join(' ');
}

/** Seconds: those of a button, or an amount of a unit. NaN for what is not a number. */
export const secondsOf = ({ seconds, amount = '', unit = '' }: Form): number =>
  seconds === undefined ? Number(amount || Number.NaN) * Number(unit || Number.NaN) : Number(seconds);

/** `trouble`: why the last form was refused. `isOpen`: a form of it was sent. */
export function clockCard(clock: Clock, trouble: string | null, isOpen: boolean): SafeHtml {
  const ahead = clock.advanceSeconds();
  const move = (seconds: number, label: string) =>
    html`<button class="button quiet" name="seconds" value="${String(seconds)}">${label}</button>`;
  return html`<details class="card" id="clock"${isOpen ? html` open` : null}>
<summary><h2>Clock</h2> ${timeElement(formatInstant(clock.now()), 'clock', 'now')}</summary>
<p id="moved" class="quiet" role="status" data-live>${ahead === 0 ? 'Not moved.' : `Moved forward by ${duration(ahead)}.`}</p>
<form method="post" action="/sandbox/clock/move" class="moves" data-stays aria-label="Move the clock forward">${move(3_600, '+1 hour')}${move(86_400, '+1 day')}${move(172_800, '+48 hours')}</form>
<form method="post" action="/sandbox/clock/move" class="custom" data-stays>
<label>Forward by <input name="amount" type="number" min="1" step="1" inputmode="numeric" value="30" required></label>
<label><span class="unseen">Unit</span><select name="unit"><option value="60">minutes</option><option value="3600">hours</option><option value="86400" selected>days</option></select></label>
${button('Move', 'quiet')}
</form>
<form id="reset" data-live method="post" action="/sandbox/clock/reset" data-stays${ahead === 0 ? html` hidden` : null}>${button('Back to now', 'quiet')}</form>
<p id="clock-trouble" class="trouble" role="alert" data-live${trouble === null ? html` hidden` : null}>${trouble}</p>
<p class="quiet">48 hours are the life of an access token. Going back to now takes back no more than the time: what fell due has been done.</p>
</details>`;
}
