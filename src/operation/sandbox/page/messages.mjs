/** The list of messages: filter, pages, new messages, and which one is chosen (the page's address says so). */
import { ask } from './api.mjs';
import { showDetail } from './detail.mjs';
import { messageRow } from './message.mjs';
import { zone } from './when.mjs';

const list = document.querySelector('#messages');
const count = document.querySelector('#count');
const none = document.querySelector('#none');
const older = document.querySelector('#older');
const to = document.querySelector('#to');
const channel = document.querySelector('#channel');
const outcome = document.querySelector('#outcome');

/** The messages shown, by id. */
const shown = new Map();
let chosen = null;
let nextCursor = null;
/** Counts the changes of the filter, so that a late response to an old filter is ignored. */
let round = 0;

async function askFor(cursor) {
  const asked = round;
  const query = new URLSearchParams({ outcome: outcome.value });
  if (to.value.trim() !== '') query.set('to', to.value.trim());
  if (channel.value !== '') query.set('channel', channel.value);
  if (cursor !== null) query.set('cursor', cursor);
  const answer = await ask(`sandbox/messages?${query}`);
  return asked === round ? answer : null;
}

/** Inserts messages, newest first, by their ids, which sort by age. */
function insert(messages) {
  for (const message of messages.filter(({ id }) => !shown.has(id))) {
    shown.set(message.id, message);
    const next = [...list.children].find(({ dataset }) => dataset.id < message.id);
    list.insertBefore(messageRow(message), next ?? null);
  }
  const text = shown.size === 1 ? '1 message' : `${shown.size} messages, newest first`;
  // Setting the same text again would make screen readers read it again.
  if (count.textContent !== text) count.textContent = text;
  count.title = `Times of ${zone}`;
  const isFiltered = to.value.trim() !== '' || channel.value !== '' || outcome.value !== 'accepted';
  none.textContent = isFiltered
    ? 'No message fits the filter.'
    : 'Nothing was sent yet: make a booking, or send an SMS.';
  none.hidden = shown.size > 0;
  older.hidden = nextCursor === null;
  choose();
}

/** Shows the message of the page's address; on a wide screen, where there is room, else the newest. */
export function choose() {
  const id = location.hash.slice(1);
  const isWide = matchMedia('(min-width: 56rem)').matches;
  const wanted = shown.get(id) ?? (isWide ? (chosen ?? shown.values().next().value) : null) ?? null;
  for (const row of list.querySelectorAll('.row')) {
    if (row.hash === `#${wanted?.id}`) row.setAttribute('aria-current', 'true');
    else row.removeAttribute('aria-current');
  }
  if (wanted?.id === chosen?.id) return;
  chosen = wanted;
  showDetail(wanted, onlyFor);
}

function clear() {
  shown.clear();
  chosen = null;
  nextCursor = null;
  list.replaceChildren();
}

/** Shows messages that came since the last call. */
export async function refresh() {
  const answer = await askFor(null);
  if (answer === null) return;
  const { messages } = answer;
  // More came than one page holds: the messages in between are not loaded.
  if (shown.size > 0 && messages.length > 0 && !messages.some(({ id }) => shown.has(id))) clear();
  if (shown.size === 0) nextCursor = answer.nextCursor;
  insert(messages);
}

/** Shows the messages that fit a changed filter. */
export async function startOver() {
  round++;
  const answer = await askFor(null);
  if (answer === null) return;
  clear();
  showDetail(null, onlyFor);
  nextCursor = answer.nextCursor;
  insert(answer.messages);
}

export async function showOlder() {
  const answer = await askFor(nextCursor);
  if (answer === null) return;
  const last = list.lastElementChild;
  nextCursor = answer.nextCursor;
  insert(answer.messages);
  // Keyboard focus moves to the first of the new messages.
  last?.nextElementSibling?.querySelector('a')?.focus({ preventScroll: true });
}

function onlyFor(recipient) {
  to.value = recipient;
  to.dispatchEvent(new Event('change', { bubbles: true }));
}
