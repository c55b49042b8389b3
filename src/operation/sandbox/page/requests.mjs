/** The page of the last requests: a list, and one of them in detail. Of several processes it shows what each has answered so far. */
import { ask } from './api.mjs';
import { element } from './element.mjs';
import { detailOf } from './request.mjs';

const lookEveryMs = 2_000;
const keepAtMost = 500;
const find = (selector) => document.querySelector(selector);
const list = find('#requests');
const detail = find('#detail');

/** What was seen, by process and request id. An id may come twice: the caller may choose it. */
const seen = new Map();
let chosen = null;

const hour = { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' };
const today = new Intl.DateTimeFormat(undefined, hour);
const earlier = new Intl.DateTimeFormat(undefined, { ...hour, day: 'numeric', month: 'short' });

/** In one short line: of today the hour alone. */
function momentOf(at) {
  const isToday = new Date(at).toDateString() === new Date().toDateString();
  return (isToday ? today : earlier).format(new Date(at));
}

function rowOf(key, request) {
  const { method, path, status, at, ignoredFields, errorCode, durationMs } = request;
  const bad = status >= 400;
  const row = element(
    'button',
    { type: 'button', class: 'row' },
    element('span', { class: bad ? 'status bad' : 'status' }, String(status)),
    element('span', { class: 'what' }, element('b', {}, method), ` ${path}`),
    element('time', { class: 'quiet', datetime: at, title: at }, momentOf(at)),
    element('span', { class: 'quiet note' }, noteOf({ bad, errorCode, ignoredFields, durationMs })),
  );
  row.addEventListener('click', () => choose(key, true));
  const item = element('li', {}, row);
  item.dataset.key = key;
  return item;
}

function noteOf({ bad, errorCode, ignoredFields, durationMs }) {
  const ignored = ignoredFields.length === 0 ? '' : `ignores ${ignoredFields.join(', ')}`;
  const refused = bad && errorCode !== null ? errorCode : '';
  return [refused, ignored, `${durationMs} ms`].filter(Boolean).join(' · ');
}

const fits = {
  '': () => true,
  refused: ({ status }) => status >= 400,
  accepted: ({ status }) => status < 400,
  ignored: ({ ignoredFields }) => ignoredFields.length > 0,
};

function shown() {
  const words = find('#search').value.trim().toLowerCase();
  const text = ({ id, path, operationId }) => `${id} ${path} ${operationId ?? ''}`.toLowerCase();
  return [...seen]
    .filter(([, each]) => fits[find('#outcome').value](each) && text(each).includes(words))
    .sort(([, one], [, other]) => (one.at < other.at ? 1 : -1));
}

/** How many are shown, and how many of these had fields that were ignored. */
function countOf(requests) {
  const ignoring = requests.filter(fits.ignored).length;
  const all = requests.length === 1 ? '1 request' : `${requests.length} requests, newest first`;
  return ignoring === 0 ? all : `${all} · ${ignoring} with ignored fields`;
}

/** Rows that stay keep their elements, and with them the keyboard's place. */
function render() {
  const rows = shown();
  const present = new Map([...list.children].map((item) => [item.dataset.key, item]));
  const items = rows.map(([key, request]) => present.get(key) ?? rowOf(key, request));
  for (const item of list.children) if (!items.includes(item)) item.remove();
  for (const [index, item] of items.entries()) {
    if (list.children[index] !== item) list.insertBefore(item, list.children[index] ?? null);
    item.firstChild.setAttribute('aria-current', String(item.dataset.key === chosen));
  }
  const text = countOf(rows.map(([, request]) => request));
  if (find('#count').textContent !== text) find('#count').textContent = text;
  find('#none').hidden = rows.length > 0;
  find('#none').textContent =
    seen.size === 0 ? 'No partner has asked for anything yet: call the API.' : 'No request fits the filter.';
  if (chosen === null && rows.length > 0) choose(rows[0][0], false);
}

function choose(key, byHand) {
  chosen = key;
  detail.replaceChildren(...detailOf(seen.get(key)));
  detail.hidden = false;
  for (const item of list.children)
    item.firstChild.setAttribute('aria-current', String(item.dataset.key === key));
  if (byHand && matchMedia('(max-width: 56rem)').matches) detail.focus();
}

async function look() {
  let text = '';
  try {
    const { requests, redacted, processId } = await ask('requests?limit=200');
    for (const request of requests) seen.set(`${processId} ${request.id} ${request.at}`, request);
    for (const [key] of [...seen].sort(([, one], [, other]) => (one.at < other.at ? -1 : 1))) {
      if (seen.size <= keepAtMost) break;
      seen.delete(key);
    }
    find('#redacted').hidden = !redacted;
    render();
  } catch (error) {
    text = error.message;
  }
  const trouble = find('#trouble');
  if (trouble.textContent !== text) trouble.textContent = text;
  trouble.hidden = text === '';
}

find('#filter').addEventListener('submit', (event) => event.preventDefault());
find('#outcome').addEventListener('change', render);
find('#search').addEventListener('input', render);
async function lookAgain() {
  if (find('#auto').checked && !document.hidden) await look();
  setTimeout(lookAgain, lookEveryMs);
}
await look();
setTimeout(lookAgain, lookEveryMs);
