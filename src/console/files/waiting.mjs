/** The switch **Pause updates**, and the count of changes beside it. */

const storedAs = 'console-paused';

/** Kinds that follow from other changes: they count only where nothing else changed. */
const following = new Set(['message', 'customer', 'attendance']);

const pauseSwitch = () => document.getElementById('pause');

export const isPaused = () => pauseSwitch()?.checked === true;

/** `changed`: as `kind:id`. */
function count(changed) {
  const ids = (of) => new Set(of.map((one) => one.slice(one.indexOf(':')))).size;
  const all = [...changed];
  const first = all.filter((one) => !following.has(one.split(':')[0]));
  return first.length > 0 ? ids(first) : ids(all);
}

const inWords = (n) => `${n} ${n === 1 ? 'change' : 'changes'}`;

let shown = 0;

/** Counts the changes that are on the page now. */
export const countShown = (changed) => {
  shown += Math.max(1, count(changed));
};

/** `waiting`: what is not. */
export function showCount(waiting, isOffline) {
  const place = document.getElementById('changes');
  if (place === null) return;
  const waits = count(waiting);
  const text =
    waits > 0 ? `${inWords(waits)} ${waits === 1 ? 'waits' : 'wait'}` : shown > 0 ? inWords(shown) : '';
  place.textContent = isOffline ? ['No connection', text].filter(Boolean).join(', ') : text;
}

/** Kept as long as this tab is open. `unpaused` is called when the page may follow again. */
export function keepSwitch(unpaused) {
  const pause = pauseSwitch();
  if (pause !== null) pause.checked = sessionStorage.getItem(storedAs) === 'yes';
  document.addEventListener('change', ({ target }) => {
    if (target !== pauseSwitch()) return;
    sessionStorage.setItem(storedAs, target.checked ? 'yes' : 'no');
    if (!target.checked) unpaused();
  });
}
