/**
 * Offers Undo until its time is over. Afterwards its space stays empty, so that nothing moves under a pointer, until the page
 * updates.
 */

const timers = new WeakMap();

function over(undo) {
  // A button that has the focus stays, and says that it is too late.
  if (undo.contains(document.activeElement)) return;
  undo.classList.add('over');
  undo.inert = true;
  document.dispatchEvent(new Event('console:behind'));
}

/** Runs again after each update of the page, which has the time that is left. */
function watch() {
  for (const undo of document.querySelectorAll('.undo[data-left-ms]')) {
    const { leftMs } = undo.dataset;
    const timer = timers.get(undo);
    if (timer?.leftMs === leftMs) continue;
    clearTimeout(timer?.id);
    timers.set(undo, { leftMs, id: setTimeout(over, Number(leftMs), undo) });
  }
}

watch();
document.addEventListener('console:updated', watch);
