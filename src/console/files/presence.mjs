/**
 * Presence: who else has the conversation open. While the page is visible it reports that its person looks or types; nothing of it
 * is stored.
 */

const everyMs = 10_000;
const typingMs = 3_000;
/** After this long without input a person does not count as looking. */
const idleMs = 300_000;
/** How long presence is shown; the response to every heartbeat renews it. */
const heldMs = 25_000;
const refusedMs = 60_000;
const withinMs = 10_000;
const readMs = 5_000;
const namedAtMost = 3;

const page = [...crypto.getRandomValues(new Uint32Array(3))].map((part) => part.toString(36)).join('-');
let number = 0;
let isHere = false;
let touchedAt = Date.now();
let typedAt = -Infinity;
let notBefore = 0;
/** The number of presence messages of the stream: they are newer than a response that was requested before. */
let told = 0;
let forgetting = 0;
let reading = 0;
const announced = new Set();

const place = () => document.getElementById('present');

function part(className, attributes = {}) {
  const found = place().querySelector(`.${className}`);
  if (found !== null) return found;
  const made = Object.assign(document.createElement('p'), { className });
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  place().append(made);
  return made;
}

const said = ({ name, isTyping }) => `${name} is ${isTyping ? 'typing' : 'looking'}`;

/** Screen readers hear each person once, however often they come and go; the page shows every change. */
function show(people) {
  clearTimeout(forgetting);
  if (people.length > 0) forgetting = setTimeout(show, heldMs, []);
  const more = people.length - namedAtMost;
  const words = people.slice(0, namedAtMost).map(said);
  if (more > 0) words.push(`${more} more`);
  const shown = words.join(' · ');
  const seen = part('others');
  if (seen.textContent !== shown) seen.textContent = shown;
  const fresh = people.filter(({ name }) => !announced.has(name));
  const live = part('unseen', { 'aria-live': 'polite' });
  if (fresh.length === 0) return;
  for (const { name } of fresh) announced.add(name);
  live.textContent = fresh.map(said).join(', ');
  clearTimeout(reading);
  reading = setTimeout(() => live.replaceChildren(), readMs);
}

async function beat(doing) {
  const { to, conversation } = place().dataset;
  const heard = told;
  number += 1;
  const body = new URLSearchParams({ conversation, page, doing, number });
  const signal = AbortSignal.timeout(withinMs);
  try {
    const answer = await fetch(to, { method: 'POST', body, signal, keepalive: true, redirect: 'manual' });
    if (!answer.ok) notBefore = Date.now() + refusedMs;
    else if (isHere && heard === told) show((await answer.json()).people);
  } catch {
    // The next heartbeat repeats it.
  }
}

function look() {
  if (place() === null) return;
  if (document.hidden || Date.now() - touchedAt > idleMs) return leave();
  isHere = true;
  if (Date.now() >= notBefore) void beat('looking');
}

function leave() {
  if (!isHere || place() === null) return;
  isHere = false;
  show([]);
  void beat('gone');
}

function touched() {
  touchedAt = Date.now();
  if (!isHere && !document.hidden) look();
}

for (const type of ['pointermove', 'pointerdown', 'keydown', 'wheel', 'focusin'])
  addEventListener(type, touched, { capture: true, passive: true });

document.addEventListener('input', ({ target }) => {
  if (target.localName !== 'textarea' || place() === null || Date.now() < notBefore) return;
  if (Date.now() - typedAt < typingMs) return;
  typedAt = Date.now();
  isHere = true;
  void beat('typing');
});

document.addEventListener('console:present', ({ detail: { conversationId, people } }) => {
  if (!isHere || conversationId !== place()?.dataset.conversation) return;
  told += 1;
  show(people);
});

document.addEventListener('visibilitychange', () => {
  touchedAt = Date.now();
  look();
});
addEventListener('pagehide', leave);
setInterval(look, everyMs);
look();
