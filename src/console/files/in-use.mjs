/** Finds the elements that an update must not move: under the pointer, with the focus, or selected. */
import { named } from './names.mjs';

const control = 'a, button, input, select, textarea, summary, label';
/** After this long without input an update may move elements under the pointer. */
const idleMs = 10_000;

let pointer = null;
let isPressed = false;
let isComposing = false;
let touchedAt = Date.now();

const on = (types, handle) => {
  for (const type of types) addEventListener(type, handle, { capture: true, passive: true });
};
const released = () => setTimeout(() => (isPressed = false));

on(['pointermove', 'pointerdown', 'pointerup'], ({ pointerType, buttons, clientX: x, clientY: y }) => {
  // Where a menu of the browser opens, the page may never hear that the button was let go.
  if (buttons === 0) released();
  pointer = pointerType === 'touch' ? null : { x, y };
});
on(['pointermove', 'pointerdown', 'keydown', 'wheel', 'focusin'], () => (touchedAt = Date.now()));
on(['pointerdown', 'dragstart'], () => (isPressed = true));
// The click comes after it.
on(['pointerup', 'pointercancel', 'dragend', 'blur'], released);
on(['compositionstart'], () => (isComposing = true));
on(['compositionend'], () => (isComposing = false));
document.documentElement.addEventListener('pointerleave', () => (pointer = null));

const isIdle = () => Date.now() - touchedAt > idleMs;

/** Somebody presses, drags, composes a letter, or has another time for a booking proposed (`day.mjs`): nothing may be changed at all. */
export const isBusy = () =>
  isComposing || ((isPressed || 'busy' in document.documentElement.dataset) && !isIdle());

/** Each a control, or the row that it is in; they have names (`giveNames`). */
export function findInUse(main) {
  if (isIdle()) return [];
  const selection = getSelection();
  const all = [
    pointer && document.elementFromPoint(pointer.x, pointer.y),
    document.activeElement,
    selection.isCollapsed ? null : selection.anchorNode?.parentElement,
  ];
  const inUse = all.flatMap((one) => {
    const its = main.contains(one) ? (one.closest(control) ?? one.closest('li, tr, form')) : null;
    return its?.closest('[id]') ?? [];
  });
  return [...new Set(inUse)].filter((one) => one !== main && main.contains(one));
}

/** Elements that scroll beside the page itself, each with an id. */
const panes = '.scroll, .pane';
/** On a phone they are parts of the page. */
const scrolls = (pane) => getComputedStyle(pane).overflowY !== 'visible';

function paneOf(one) {
  const pane = one.closest('.pane');
  return pane && scrolls(pane) ? pane : null;
}

/**
 * Lays the fetched page out unseen over the open one, and compares: whether all that is in use would still be there, no further left or right,
 * and all of it as much higher or lower as the rest of its pane, or of the page. For that these are scrolled (`keepInPlace`).
 */
export function wouldStay(main, next, inUse) {
  if (inUse.length === 0) return true;
  const { left, top, width, height } = main.getBoundingClientRect();
  Object.assign(next.style, {
    ...{ position: 'absolute', visibility: 'hidden', boxSizing: 'border-box', margin: '0', maxWidth: 'none' },
    ...{ left: `${left + scrollX}px`, top: `${top + scrollY}px`, width: `${width}px` },
    paddingTop: getComputedStyle(main).paddingTop,
  });
  // Panes share the height that there is.
  if (main.querySelector('.pane')) next.style.height = `${height}px`;
  main.after(next);
  for (const scroller of next.querySelectorAll(panes)) {
    const { scrollLeft = 0, scrollTop = 0 } = named(main, scroller.id) ?? {};
    scroller.scrollTo({ left: scrollLeft, top: scrollTop, behavior: 'instant' });
  }
  const moves = inUse.map((one) => {
    const its = named(next, one.id)?.getBoundingClientRect();
    const at = one.getBoundingClientRect();
    return its && { x: its.left - at.left, y: its.top - at.top, pane: paneOf(one) };
  });
  next.remove();
  next.removeAttribute('style');
  const first = (pane) => moves.find((move) => move?.pane === pane);
  return moves.every((move) => move && Math.abs(move.x) < 1 && Math.abs(move.y - first(move.pane).y) < 1);
}

/** Where nothing is in use, what is read stays: the first that is seen of what was scrolled, the page or a pane from `top` to `bottom`. */
function readIn(within, isScrolled, top, bottom) {
  if (!isScrolled) return undefined;
  const { left } = within.getBoundingClientRect();
  for (const part of [4, 2]) {
    const y = top + (bottom - top) / part;
    const at = document.elementFromPoint(left + 40, y)?.closest('li, tr, section, form');
    if (at && within.contains(at)) return at;
  }
  return undefined;
}

/** Makes the change, and scrolls so that what is in use stays where it is, in the page and in each pane. */
export function keepInPlace(main, inUse, change) {
  const inPanes = [...main.querySelectorAll('.pane')].filter(scrolls).flatMap((pane) => {
    const { top, bottom } = pane.getBoundingClientRect();
    const one =
      inUse.find((each) => paneOf(each) === pane) ?? readIn(pane, pane.scrollTop !== 0, top, bottom);
    return one ? [{ one, pane, top: one.getBoundingClientRect().top }] : [];
  });
  const onPage = inUse.find((each) => paneOf(each) === null) ?? readIn(main, scrollY !== 0, 0, innerHeight);
  keepOnPage(main, onPage, () => {
    change();
    for (const { one, pane, top } of inPanes)
      if (one.isConnected) pane.scrollBy({ top: one.getBoundingClientRect().top - top, behavior: 'instant' });
  });
}

/** Where the page has no room to scroll it gets some. */
function keepOnPage(main, first, change) {
  const focused = document.activeElement;
  const { selectionStart, selectionEnd } = focused;
  const hadFocus = main.contains(focused);
  const before = first?.getBoundingClientRect().top;
  change();
  if (hadFocus && document.activeElement !== focused) {
    (focused.isConnected ? focused : main).focus({ preventScroll: true });
    if (selectionStart != null) focused.setSelectionRange?.(selectionStart, selectionEnd);
  }
  if (!first?.isConnected) return;
  const moved = () => first.getBoundingClientRect().top - before;
  scrollBy({ top: moved(), behavior: 'instant' });
  const rest = moved();
  if (Math.abs(rest) < 1) return;
  const { body } = document;
  const [around, side, room] =
    rest < 0
      ? [main, 'paddingTop', -rest]
      : [body, 'paddingBottom', rest + innerHeight - body.getBoundingClientRect().bottom];
  around.style[side] = `${Number.parseFloat(getComputedStyle(around)[side]) + room}px`;
  scrollBy({ top: moved(), behavior: 'instant' });
}

/** Takes back the room that was made, once nothing is in use. */
export function giveRoomBack(main) {
  if (isBusy() || findInUse(main).length > 0) return;
  main.style.removeProperty('padding-top');
  document.body.style.removeProperty('padding-bottom');
}
