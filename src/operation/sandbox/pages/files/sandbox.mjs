/**
 * Makes the sandbox's pages follow what is sent; they work without it. Parts that are marked `data-live` are replaced by those of the
 * same id of a fetched page; forms that are marked `data-stays` are sent without leaving the page.
 */

const lookEveryMs = 2_000;
const keptAtMost = 500;
const byId = (id) => document.getElementById(id);

/** As the visitor has chosen. */
let isAutomatic = true;

/** Shows the controls that work with the script alone. */
function showScripted() {
  for (const part of document.querySelectorAll('[data-scripted]')) part.hidden = false;
  byId('auto').checked = isAutomatic;
}

/* Times in the viewer's zone */

const minute = { day: 'numeric', month: 'short', hour: 'numeric', minute: '2-digit' };
const second = { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' };
const day = { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' };
const formats = {
  short: new Intl.DateTimeFormat(undefined, minute),
  long: new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'long' }),
  today: new Intl.DateTimeFormat(undefined, second),
  earlier: new Intl.DateTimeFormat(undefined, { ...second, day: 'numeric', month: 'short' }),
  clock: new Intl.DateTimeFormat(undefined, { ...day, ...second, timeZoneName: 'short' }),
};

function showTimes(root) {
  for (const time of root.querySelectorAll('time[data-as]')) {
    const at = new Date(time.dateTime);
    const isToday = at.toDateString() === new Date().toDateString();
    const as = time.dataset.as === 'moment' ? (isToday ? 'today' : 'earlier') : time.dataset.as;
    time.textContent = formats[as].format(at);
    time.title = formats.long.format(at);
  }
}

/** Business time minus this page's own time, in milliseconds. */
let aheadMs = 0;

function setClock() {
  const time = byId('now');
  if (time) aheadMs = Date.parse(time.dateTime) - performance.now();
}

function tick() {
  const time = byId('now');
  if (!time) return;
  const now = new Date(performance.now() + aheadMs);
  time.dateTime = now.toISOString();
  time.textContent = formats.clock.format(now);
}

/* Following */

const keyOf = (item) => item.dataset.key ?? item.outerHTML;

/** Unchanged items stay, and with them the focus, and what is unfolded. */
function mergeList(open, next) {
  const items = [...next.children];
  const { process } = next.dataset;
  if (process) {
    // Each process has its own requests: those of the others were fetched before.
    items.push(...[...open.children].filter((item) => item.dataset.process !== process));
    items.sort((one, other) => (one.dataset.at < other.dataset.at ? 1 : -1)).splice(keptAtMost);
  }
  const present = new Map([...open.children].map((item) => [keyOf(item), item]));
  const merged = items.map((item) => present.get(keyOf(item)) ?? item);
  for (const item of [...open.children]) if (!merged.includes(item)) item.remove();
  for (const [index, item] of merged.entries())
    if (open.children[index] !== item) open.insertBefore(item, open.children[index] ?? null);
  return merged.some((item) => items.includes(item));
}

function mergePart(open, next) {
  if (open.dataset.key !== next.dataset.key) return open.replaceWith(next);
  if (next.querySelector('[data-live]')) return;
  if (open.localName === 'ol') {
    if (mergeList(open, next) && open.id === 'thread')
      open.lastElementChild?.scrollIntoView({ block: 'nearest' });
    return;
  }
  for (const { name, value } of next.attributes)
    if (open.getAttribute(name) !== value) open.setAttribute(name, value);
  if (!next.hidden) open.hidden = false;
  // The same text is not set again: screen readers would read it again.
  if (open.innerHTML !== next.innerHTML) open.replaceChildren(...next.childNodes);
}

/** The parts of the open page that `next` has; those within a part that was replaced are new already. */
function merge(next, which) {
  showTimes(next);
  for (const part of next.querySelectorAll(which)) {
    const open = byId(part.id);
    if (open) mergePart(open, part);
  }
  setClock();
  tick();
}

const read = (text) => new DOMParser().parseFromString(text, 'text/html');

function sayTrouble(text) {
  const trouble = byId('trouble');
  if (trouble.textContent !== text) trouble.textContent = text;
  trouble.hidden = text === '';
}

/** Null: the server did not answer, or not with a page, and the page says so. */
async function ask(address, options) {
  try {
    const response = await fetch(address, {
      ...{ ...options, headers: { accept: 'text/html' }, signal: AbortSignal.timeout(10_000) },
    });
    const page = read(await response.text());
    if (!page.getElementById('count')) throw new Error(`The server answered with status ${response.status}.`);
    sayTrouble('');
    return { page, isAccepted: response.ok };
  } catch (error) {
    sayTrouble(
      error instanceof TypeError || error.name === 'TimeoutError'
        ? 'The server does not answer.'
        : error.message,
    );
    return null;
  }
}

/** Counts the changes of the page by the visitor, as they begin and as they are shown: the response to an earlier request is not shown. */
let round = 0;

/** Fetches the page, with the message that is shown now, and shows what has changed. */
async function look() {
  const asked = round;
  const { href } = location;
  const address = new URL(href);
  const shown = byId('detail')?.dataset.message;
  if (shown && !address.searchParams.has('message')) address.searchParams.set('message', shown);
  const answer = await ask(address);
  if (answer?.isAccepted && asked === round && href === location.href) merge(answer.page, '[data-live]');
}

async function lookAgain() {
  if (isAutomatic && !document.hidden) await look();
  setTimeout(lookAgain, lookEveryMs);
}

document.addEventListener('visibilitychange', () => {
  if (isAutomatic && !document.hidden) look();
});
document.addEventListener('pages:swapped', () => {
  round++;
  showScripted();
  showTimes(byId('main'));
});
document.addEventListener('change', ({ target }) => {
  if (target.id === 'auto') isAutomatic = target.checked;
});
document.addEventListener('click', (event) => {
  if (event.target.closest?.('#refresh')) {
    event.preventDefault();
    look();
  }
});

/* Forms */

/** Shows the list of a changed filter, and the newest message of it. */
async function applyFilter(form) {
  round++;
  const fields = [...new FormData(form)].filter(([, value]) => value.trim() !== '');
  history.replaceState(null, '', `?${new URLSearchParams(fields)}`);
  const asked = round;
  const answer = await ask(location.href);
  if (!answer || asked !== round) return;
  // A look that began meanwhile asked for the message that was shown before.
  round++;
  for (const list of document.querySelectorAll('ol[data-process]')) list.replaceChildren();
  byId('refresh').href = location.href;
  byId('mail')?.setAttribute('data-shows', 'list');
  merge(answer.page, '[data-live]');
}

let typed = 0;
document.addEventListener('input', ({ target }) => {
  const form = target.closest('#filter');
  if (!form || target.id === 'auto') return;
  clearTimeout(typed);
  typed = setTimeout(() => applyFilter(form), target.localName === 'select' ? 0 : 300);
});

async function send(form, submitter) {
  const body = new URLSearchParams(new FormData(form, submitter));
  const answer = await ask(form.action, { method: 'POST', body });
  form.removeAttribute('aria-busy');
  if (!answer) return;
  if (!answer.isAccepted) return merge(answer.page, '.trouble[data-live]');
  for (const trouble of document.querySelectorAll('.trouble[data-live]')) trouble.hidden = true;
  if ('clears' in form.dataset) form.reset();
  await look();
}

document.addEventListener('submit', (event) => {
  const form = event.target;
  if (event.defaultPrevented) return;
  if (form.id === 'filter') {
    event.preventDefault();
    form.removeAttribute('aria-busy');
    applyFilter(form);
  } else if ('stays' in form.dataset) {
    event.preventDefault();
    send(form, event.submitter);
  }
});

showScripted();
showTimes(document);
setClock();
tick();
setInterval(tick, 1_000);
setTimeout(lookAgain, lookEveryMs);
