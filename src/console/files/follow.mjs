/** Keeps an open page up to date: on a hint about a change it fetches itself and is morphed into the result. */
import { sayChanged, sayEnded, sayNothing, sayTyped } from './changed.mjs';
import { fetchPage } from './fetched.mjs';
import { findInUse, giveRoomBack, isBusy, keepInPlace, wouldStay } from './in-use.mjs';
import { morph, prepare, takeRules } from './morph.mjs';
import { giveNames } from './names.mjs';
import { sourceOf } from './source.mjs';
import { countShown, isPaused, keepSwitch, showCount } from './waiting.mjs';

/**
 * At least so long from one fetch to the next, and that many times what the last one took: for the record that the page is about, and for all
 * else that it shows, such as the list beside it. Where much changes, a page takes a small part of a busy server.
 */
const gaps = { own: { leastMs: 100, times: 2 }, other: { leastMs: 400, times: 6 } };
const gapAtMostMs = 5_000;
const pollMs = 15_000;
const settleAfterMs = 250;
/** The first hints of a stream come right after it opens: the page makes one fetch for all of them. */
const connectMs = 150;
/** A stream begins with what changed in the last ten seconds: a page that is younger misses nothing. */
const freshMs = 5_000;

const main = document.getElementById('main');

/** Records that changed and are not on the page as they are now, as `kind:id`. */
let waiting = new Set();
/** The page may be out of date. */
let isBehind = false;
/** The record that it is about has changed. */
let isOwnBehind = false;
let isFetching = false;
let isConnected = false;
let isRefused = false;
let isOffline = false;
/** No further updates are possible. */
let isOver = false;
let source = null;
let askedAt = -Infinity;
let tookMs = 0;
let timer = 0;
let settling = 0;
/** Fetched, and not on the page while something is in use: what `fetchPage` returns, and what changed. */
let ready = null;

const shows = () => new Set((main.dataset.live ?? '').split(' '));

function concerns({ kind, id }) {
  const all = shows();
  return kind === 'all' || all.has(kind) || all.has(`${kind}:${id}`);
}

function show() {
  showCount(ready === null ? waiting : new Set([...waiting, ...ready.changed]), isOffline);
}

function soon() {
  show();
  if (!isBehind || isFetching || isPaused() || document.hidden) return;
  const { leastMs, times } = isOwnBehind ? gaps.own : gaps.other;
  const gap = Math.max(leastMs, Math.min(times * tookMs, gapAtMostMs));
  clearTimeout(timer);
  timer = setTimeout(ask, Math.max(0, askedAt + gap - performance.now()));
}

const fall = () => {
  isBehind = true;
  soon();
};

function catchUp() {
  isBehind = true;
  setTimeout(soon, connectMs);
}

async function ask() {
  isFetching = true;
  isBehind = false;
  isOwnBehind = false;
  askedAt = performance.now();
  const changed = new Set([...(ready?.changed ?? []), ...waiting]);
  waiting = new Set();
  ready = null;
  // A failed fetch is repeated by the next poll, connection or change.
  const answer = await fetchPage().catch(() => null);
  tookMs = performance.now() - askedAt;
  isFetching = false;
  isOffline = answer === null;
  if (answer === null || isPaused()) waiting = new Set([...changed, ...waiting]);
  else if (answer.ended) end(answer.ended);
  else take({ ...answer, changed });
  soon();
}

function end(why) {
  isOver = true;
  source.stop();
  sayEnded(why);
}

function take(fetched) {
  if (isOver) sayNothing();
  isOver = false;
  sayChanged(main, fetched.main);
  if ('form' in main.dataset) return;
  ready = fetched;
  settle();
}

/** Puts on the page what was fetched, but for what is in use: that stays as it is and where it is, or else all of it waits. */
function settle() {
  clearTimeout(settling);
  if (ready === null || isPaused()) return;
  settling = setTimeout(settle, settleAfterMs);
  show();
  if (isBusy()) return;
  giveNames(main);
  const inUse = findInUse(main);
  const inUseAs = inUse.map(({ id }) => id).join();
  if (ready.inUseAs === inUseAs) return;
  ready.inUseAs = inUseAs;
  const next = ready.main.cloneNode(true);
  const isWhole = prepare(main, next, inUse);
  const before = takeRules(ready.rules);
  if (wouldStay(main, next, inUse)) put(next, inUse, isWhole);
  else takeRules(before);
}

function put(next, inUse, isWhole) {
  const { title, changed } = ready;
  if (isWhole) {
    ready = null;
    clearTimeout(settling);
  }
  giveRoomBack(main);
  sayTyped(main, next);
  const text = main.textContent;
  keepInPlace(main, inUse, () => morph(main, next));
  document.title = title;
  if (isWhole && main.textContent !== text) countShown(changed);
  document.dispatchEvent(new Event('console:updated'));
  show();
}

function hear(message) {
  if (message.present)
    return document.dispatchEvent(new CustomEvent('console:present', { detail: message.present }));
  if (message.changed) {
    const ours = message.changed.filter(concerns);
    for (const { kind, id } of ours) waiting.add(`${kind}:${id ?? ''}`);
    isOwnBehind ||= ours.some(({ kind, id }) => kind === 'all' || shows().has(`${kind}:${id}`));
    if (ours.length > 0) fall();
    return;
  }
  const isMissing = message.ready ? performance.now() > freshMs : message.refused && !isRefused;
  isConnected = !message.broken;
  isRefused = message.refused === true;
  if (message.behind || isMissing) catchUp();
}

function begin() {
  source = sourceOf(main.dataset.stream, hear);
  // The page's values may be older than its request.
  if (!document.hidden) source.start(performance.timeOrigin - Number(main.dataset.behindMs ?? 0));
  const away = () => {
    isConnected = false;
    source.stop();
  };
  const back = () => {
    source.start(Date.now());
    catchUp();
  };
  document.addEventListener('visibilitychange', () => (document.hidden ? away() : back()));
  addEventListener('pagehide', away);
  addEventListener('pageshow', ({ persisted }) => persisted && back());
  addEventListener('online', fall);
  document.addEventListener('console:behind', fall);
  keepSwitch(fall);
  let polls = 0;
  setInterval(() => {
    polls += 1;
    if (isOver) return;
    if (!isConnected || isOffline || (shows().has('clock') && polls % 4 === 0)) fall();
    giveRoomBack(main);
  }, pollMs);
}

if (main?.dataset.stream) begin();
