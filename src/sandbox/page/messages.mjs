/** The list of messages: its filter, its pages, and what is new. */
import { ask } from './api.mjs';
import { messageItem } from './message.mjs';

const list = document.querySelector('#messages');
const count = document.querySelector('#count');
const none = document.querySelector('#none');
const older = document.querySelector('#older');
const to = document.querySelector('#to');
const channel = document.querySelector('#channel');
const outcome = document.querySelector('#outcome');

/** The ids of what is shown. */
const shown = new Set();
let nextCursor = null;
/** Grows with each change of the filter, so that a late answer to an old one is left aside. */
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

/** Newest first. Ids sort by age, so each finds its place; what is shown stays, with what was opened in it. */
function insert(messages) {
  const fresh = messages.filter(({ id }) => !shown.has(id));
  for (const message of fresh) {
    const item = messageItem(message, choose);
    item.dataset.id = message.id;
    list.insertBefore(item, [...list.children].find(({ dataset }) => dataset.id < message.id) ?? null);
    shown.add(message.id);
  }
  const text = shown.size === 1 ? '1 message' : `${shown.size} messages, newest first`;
  // Told again, it would be read out again.
  if (count.textContent !== text) count.textContent = text;
  const isFiltered = to.value.trim() !== '' || channel.value !== '' || outcome.value !== 'accepted';
  none.textContent = isFiltered
    ? 'No message fits the filter.'
    : 'Nothing was sent yet: make a booking, or send an SMS.';
  none.hidden = shown.size > 0;
  older.hidden = nextCursor === null;
}

function clear() {
  shown.clear();
  nextCursor = null;
  list.replaceChildren();
}

/** Shows what came since the last time. */
export async function refresh() {
  const answer = await askFor(null);
  if (answer === null) return;
  const { messages } = answer;
  // More came than one page holds: what lies between is not known.
  if (shown.size > 0 && messages.length > 0 && !messages.some(({ id }) => shown.has(id))) clear();
  if (shown.size === 0) nextCursor = answer.nextCursor;
  insert(messages);
}

/** Shows what fits a filter that was changed. */
export async function startOver() {
  round++;
  const answer = await askFor(null);
  if (answer === null) return;
  clear();
  nextCursor = answer.nextCursor;
  insert(answer.messages);
}

export async function showOlder() {
  const answer = await askFor(nextCursor);
  if (answer === null) return;
  const last = list.lastElementChild;
  nextCursor = answer.nextCursor;
  insert(answer.messages);
  // Whoever came by keyboard goes on reading where the new ones begin.
  last?.nextElementSibling?.querySelector('button')?.focus({ preventScroll: true });
}

function choose(recipient) {
  to.value = recipient;
  to.dispatchEvent(new Event('change', { bubbles: true }));
}
