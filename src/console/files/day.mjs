/**
 * Another time for a booking of the day, or of the week, by dragging, by keys, or in steps. All of it only proposes: the form of Move opens filled in, and
 * changes nothing until it is sent. Elements may be replaced meanwhile: a move goes on by the booking's id, and ends where that is gone.
 */
import { drawGhost } from './ghost.mjs';
import {
  dayOf,
  dayOn,
  days,
  daysOn,
  entryOf,
  instantOf,
  movableAt,
  placeAt,
  proposed,
  rowOf,
  rowPx,
} from './lanes.mjs';
import { isSaid, say as sayIn } from './said.mjs';

const root = document.documentElement;
const steps = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
const clickPx = 6;
const edgePx = 64;
const calm = matchMedia('(prefers-reduced-motion: reduce)');

/** The time that is proposed for booking `id`: a row (15 minutes) of the day `date` of the page, and from there that many days on. Null: nothing. */
let move = null;
/** The pointer that is down on a booking; it drags once `isDrag`. */
let press = null;
let hasDragged = false;
let scrolling;

const box = () => document.getElementById('proposal');

function say(words) {
  if (!isSaid(words)) sayIn(words, 'unseen');
}

/** Updates of the page wait while `data-busy` stands and somebody is at it (`in-use.mjs`). */
function begin(entry) {
  if (move?.id === entry.dataset.id) return;
  end();
  move = { id: entry.dataset.id, row: rowOf(entry), days: 0 };
  setDay(dayOf(entry));
  root.dataset.busy = 'move';
}

function end() {
  clearInterval(scrolling);
  press = null;
  if (move === null) return;
  move = null;
  delete root.dataset.busy;
  document.querySelector('.ghost')?.remove();
  if (box() !== null) box().hidden = true;
}

function takeBack() {
  const entry = entryOf(move.id);
  if (box()?.contains(document.activeElement)) entry?.querySelector('a').focus();
  end();
  if (entry !== null) say(`${entry.dataset.name} stays at ${entry.dataset.time}.`);
}

function show() {
  const its = proposed(move);
  if (its === null) return end();
  say(`${its.words} ${its.keys}`);
  const [words, buttons] = box().children;
  const link = buttons.querySelector('a');
  words.textContent = its.words;
  link.href = its.href;
  link.hidden = !its.isOffered;
  buttons.hidden = press !== null;
  box().hidden = false;
  drawGhost(move, its);
}

function stepBy([rows, later]) {
  if (later !== 0) Object.assign(move, daysOn(move, later));
  if (rows !== 0) setRow(rows > 0 ? Math.floor(move.row) + 1 : Math.ceil(move.row) - 1);
  show();
  document.querySelector('.ghost')?.scrollIntoView({ block: 'nearest' });
}

const setDay = (day) => Object.assign(move, instantOf(day));

function setRow(row) {
  move.row = Math.max(-1, Math.min(row, dayOn(move.date).dataset.open.length));
}

/** Opens the form; what is not offered stays proposed, and says why. */
function open() {
  const its = proposed(move);
  if (its === null || its.isSame) return takeBack();
  if (!its.isOffered) return show();
  end();
  location.assign(its.href);
}

document.addEventListener('keydown', (event) => {
  if (event.key === 'Escape' && move !== null) {
    event.preventDefault();
    return takeBack();
  }
  const entry = movableAt(event.target);
  if (entry === null || press !== null || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const step = event.altKey ? steps[event.key] : undefined;
  if (step === undefined && (event.key !== 'Enter' || event.altKey || move?.id !== entry.dataset.id)) return;
  event.preventDefault();
  if (step === undefined) return open();
  begin(entry);
  stepBy(step);
});

document.addEventListener('pointerdown', (event) => {
  hasDragged = false;
  const entry = movableAt(event.target);
  if (move !== null && entry?.dataset.id !== move.id && !box().contains(event.target)) end();
  if (entry === null || press !== null || event.button !== 0) return;
  // Fingers and pens scroll the page, but at the handle.
  if (event.pointerType !== 'mouse' && event.target.closest('.handle') === null) return;
  const { pointerId, clientX: x, clientY: y } = event;
  const row = move?.row ?? rowOf(entry);
  press = { id: entry.dataset.id, pointerId, x, y, row, at: y - dayOf(entry).getBoundingClientRect().top };
});

document.addEventListener('pointermove', (event) => {
  if (press?.pointerId !== event.pointerId) return;
  const { clientX, clientY } = event;
  if (!press.isDrag) {
    if (Math.hypot(clientX - press.x, clientY - press.y) < clickPx) return;
    const entry = entryOf(press.id);
    if (entry === null) return end();
    const pressed = press;
    begin(entry);
    press = pressed;
    press.isDrag = true;
    root.setPointerCapture(press.pointerId);
    getSelection().removeAllRanges();
    scrolling = setInterval(scroll, calm.matches ? 500 : 16);
  }
  Object.assign(press, { x: clientX, y: clientY });
  follow();
});

function follow() {
  const [day, entry] = [dayOn(move.date), entryOf(move.id)];
  if (day === null || entry === null) return end();
  const { date: dateBefore, row: rowBefore } = move;
  // On one day it counts how far it is dragged, on several where to.
  if (days().length === 1) followAlong(day);
  else {
    const place = placeAt(press.x, press.y, entry);
    if (place !== null) {
      setDay(place.day);
      Object.assign(move, { row: place.row, days: 0 });
    }
  }
  if (move.row !== rowBefore || move.date !== dateBefore || box().hidden) show();
}

function followAlong(day) {
  const by = Math.round((press.y - day.getBoundingClientRect().top - press.at) / rowPx(day));
  setRow(by === 0 ? press.row : Math.round(press.row + by));
}

/** Near the edge of the window the page scrolls along; by the hour for whoever wants less motion. */
function scroll() {
  const by = press.y < edgePx ? -1 : press.y > innerHeight - edgePx ? 1 : 0;
  if (by === 0) return;
  scrollBy(0, by * (calm.matches ? 4 * rowPx(dayOn(move.date)) : 10));
  follow();
}

document.addEventListener('pointerup', (event) => {
  if (press?.pointerId !== event.pointerId) return;
  clearInterval(scrolling);
  hasDragged = press.isDrag === true;
  press = null;
  if (!hasDragged) return;
  setTimeout(() => {
    hasDragged = false;
  });
  open();
});

document.addEventListener('pointercancel', (event) => {
  if (press?.pointerId !== event.pointerId) return;
  if (press.isDrag) takeBack();
  else press = null;
});

// A long press at the handle is the beginning of a drag.
document.addEventListener('contextmenu', (event) => {
  if (press !== null && event.target.closest?.('.handle')) event.preventDefault();
});

document.addEventListener(
  'click',
  (event) => {
    if (hasDragged) return event.preventDefault();
    const { target } = event;
    const entry = movableAt(target);
    if (entry !== null && target.closest('.handle') && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      begin(entry);
      show();
      box().querySelector('button').focus();
    }
    const button = move === null ? null : target.closest?.('#proposal button');
    if (!button) return;
    if (button.hasAttribute('data-keep')) takeBack();
    else stepBy([Number(button.dataset.rows ?? 0), Number(button.dataset.days ?? 0)]);
  },
  true,
);

// Whoever goes elsewhere lets it be.
document.addEventListener('focusout', ({ relatedTarget }) => {
  if (move === null || press !== null || relatedTarget === null || box().contains(relatedTarget)) return;
  if (movableAt(relatedTarget)?.dataset.id !== move.id) end();
});
addEventListener('pagehide', end);

// After an update what is proposed stays proposed, at its instant: its day may begin at another one.
document.addEventListener('console:updated', () => {
  if (move === null) return;
  const day = dayOn(move.date);
  if (entryOf(move.id) === null || day === null) {
    end();
    return say('This booking is not on the page any more.');
  }
  const { fromMs, rowMs } = day.dataset;
  const by = (move.fromMs - fromMs) / rowMs;
  Object.assign(move, { fromMs, row: move.row + by, wanted: undefined });
  if (press !== null) press.row += by;
  show();
});
