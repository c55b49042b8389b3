/** Notifications of what customers write: one page of the browser shows them for each workshop, whether it is seen or not. */
import { sourceOf } from './source.mjs';

const storedAs = 'console-news';
/** The pause between two fetches. */
const gapMs = 2_000;
const withinMs = 10_000;
/** The server lists the texts of this period: a page that takes over later notifies about none of them. */
const namedMs = 60_000;
const keptAtMost = 50;
const shownAtMost = 3;

const base = /^\/console\/w\/[^/]+/.exec(location.pathname)?.[0];
const knownAs = `${storedAs} ${base}`;

let isLooking = false;
let isDue = false;
let hasLooked = false;

/** Ids of texts that were notified, and the time of the last fetch; the page that takes over continues from there. */
const known = () => JSON.parse(localStorage.getItem(knownAs) ?? '{"at":0,"ids":[]}');
const know = (ids) => {
  const all = [...new Set([...ids, ...known().ids])].slice(0, keptAtMost);
  localStorage.setItem(knownAs, JSON.stringify({ at: Date.now(), ids: all }));
};

function show({ id, conversationId, name, text }) {
  const path = `${base}/inbox/${conversationId}`;
  const isOpen = location.pathname === path;
  if (isOpen && document.hasFocus()) return;
  tell(text === undefined ? `${name} has written` : name, text ?? '', id, isOpen ? null : path);
}

/** `path`: what a click opens; null: this page. */
function tell(title, body, tag, path) {
  const notification = new Notification(title, { body, tag });
  notification.onclick = () => {
    notification.close();
    if (path === null) focus();
    else open(path, '_blank', 'noopener');
  };
}

async function look() {
  const choice = localStorage.getItem(storedAs);
  if (choice === null || Notification.permission !== 'granted') return;
  const answer = await fetch(`${base}/inbox/news${choice === 'texts' ? '?text=yes' : ''}`, {
    ...{ headers: { 'Pitlane-Follows': 'yes' }, redirect: 'manual', cache: 'no-store' },
    signal: AbortSignal.timeout(withinMs),
  });
  if (!answer.ok) return;
  const { texts } = await answer.json();
  const { at, ids } = known();
  const isLate = !hasLooked && Date.now() - at > namedMs;
  hasLooked = true;
  const fresh = isLate ? [] : texts.filter(({ id }) => !ids.includes(id));
  know(texts.map(({ id }) => id));
  if (fresh.length > shownAtMost)
    tell(`${fresh.length} texts of customers`, '', fresh[0].id, `${base}/inbox`);
  else for (const text of fresh) show(text);
}

/** Fetches the news. Changes during the fetch, or during the pause after it, lead to one further fetch. */
async function soon() {
  isDue = true;
  if (isLooking) return;
  isLooking = true;
  while (isDue) {
    isDue = false;
    // A failed fetch is repeated at the next change.
    await look().catch(() => undefined);
    await new Promise((resolve) => setTimeout(resolve, gapMs));
  }
  isLooking = false;
}

function lead() {
  const source = sourceOf(`${base}/changes`, (message) => {
    const concerns = message.changed?.some(({ kind }) => kind === 'message' || kind === 'all');
    if (concerns || message.ready || message.joined || message.behind) void soon();
  });
  source.start(Date.now());
  void soon();
  addEventListener('pagehide', () => {
    know([]);
    source.stop();
  });
}

// The lock is held until the page goes; then another one of this browser gets it.
if (base && 'locks' in navigator && 'SharedWorker' in window)
  void navigator.locks.request(knownAs, () => new Promise(lead));
