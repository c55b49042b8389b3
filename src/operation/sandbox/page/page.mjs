/** Wires the page: buttons, forms, and polling every two seconds. */
import { hasClock, moveClock, readClock, resetClock, tick } from './clock.mjs';
import * as detail from './detail.mjs';
import { choose, refresh, showOlder, startOver } from './messages.mjs';

const lookEveryMs = 2_000;
const find = (selector) => document.querySelector(selector);
const trouble = find('#trouble');
const clockTrouble = find('#clock-trouble');

/** Runs the work; shows its error in `place`, and clears it after a success. */
async function attempt(place, work) {
  let text = '';
  try {
    await work();
  } catch (error) {
    text = error.message;
  }
  if (place.textContent !== text) place.textContent = text;
  place.hidden = text === '';
}

const look = () =>
  attempt(trouble, () => Promise.all([refresh(), detail.refreshDetail(), hasClock && readClock()]));
const filter = () => attempt(trouble, startOver);

find('#filter').addEventListener('submit', (event) => {
  event.preventDefault();
  filter();
});
find('#refresh').addEventListener('click', look);
for (const id of ['#to', '#channel', '#outcome']) find(id).addEventListener('change', filter);
let typed;
find('#to').addEventListener('input', () => {
  clearTimeout(typed);
  typed = setTimeout(filter, 300);
});
find('#older').addEventListener('click', async ({ currentTarget: button }) => {
  button.disabled = true;
  await attempt(trouble, showOlder);
  button.disabled = false;
});

const move = (seconds) => attempt(clockTrouble, () => moveClock(seconds));
for (const button of document.querySelectorAll('[data-seconds]')) {
  button.addEventListener('click', () => move(Number(button.dataset.seconds)));
}
find('#reset')?.addEventListener('click', () => attempt(clockTrouble, resetClock));
find('#custom')?.addEventListener('submit', (event) => {
  event.preventDefault();
  move(Number(find('#amount').value) * Number(find('#unit').value));
});

addEventListener('hashchange', choose);
matchMedia('(min-width: 56rem)').addEventListener('change', choose);
if (hasClock) setInterval(tick, 1_000);
async function lookAgain() {
  if (find('#auto').checked && !document.hidden) await look();
  setTimeout(lookAgain, lookEveryMs);
}
document.addEventListener('visibilitychange', () => {
  if (find('#auto').checked && !document.hidden) look();
});
await look();
setTimeout(lookAgain, lookEveryMs);
