/** Keys that act on every page, and forms that are sent once. */
import { say } from './said.mjs';
import { typedForms } from './typed.mjs';

const main = document.getElementById('main');

const takesTyping = (target) =>
  target instanceof Element && target.closest('input, textarea, select, [contenteditable]') !== null;

/** The next or previous entry of a list of the page: its link has the focus, or else the entry. */
function step(by) {
  const lists = [...main.querySelectorAll('[data-steps]')];
  const list = lists.find((each) => each.contains(document.activeElement)) ?? lists[0];
  const entries = [...(list?.children ?? [])];
  if (entries.length === 0) return false;
  const has = (test) => entries.findIndex(test);
  const focused = has((entry) => entry.contains(document.activeElement));
  const at = focused < 0 ? has((entry) => entry.querySelector('[aria-current]') !== null) : focused;
  const next =
    at < 0 ? (by > 0 ? 0 : entries.length - 1) : Math.min(Math.max(at + by, 0), entries.length - 1);
  const entry = entries[next];
  (entry.hasAttribute('tabindex') ? entry : (entry.querySelector('a[href]') ?? entry)).focus();
  return true;
}

/** Sends the form of a key with its key and version, unless something typed elsewhere would be lost. */
function done() {
  const form = main.querySelector('form[action$="/done"]');
  if (form === null) return false;
  if (typedForms(main).length > 0)
    say('What you typed is not sent yet: send it, or clear it first.', 'other');
  else form.requestSubmit();
  return true;
}

function find() {
  const input = document.getElementById('find');
  input?.focus();
  input?.select();
  return input !== null;
}

function help() {
  void import('./help.mjs').then(({ showKeys }) => showKeys());
  return true;
}

const keys = { '/': find, '?': help, j: () => step(1), k: () => step(-1), e: done };

document.addEventListener('keydown', (event) => {
  const { key, target } = event;
  if (!Object.hasOwn(keys, key) || main?.dataset.keys !== 'on' || takesTyping(target)) return;
  if (event.metaKey || event.ctrlKey || event.altKey || event.isComposing || event.defaultPrevented) return;
  if (document.querySelector('dialog[open]') !== null || (key === 'e' && event.repeat)) return;
  if (keys[key]()) event.preventDefault();
});

document.addEventListener('keydown', (event) => {
  if (event.key !== 'Escape') return;
  const menu = document.querySelector('.menu[open]');
  menu?.removeAttribute('open');
  menu?.querySelector('summary').focus();
});

/** Forms that were stopped once, because something typed elsewhere would be lost. */
const told = new WeakSet();

/** An answer or a note that is being written in another form would be lost with the page; whoever insists goes on. */
function leavesTyped(form) {
  const others = typedForms(main).filter((one) => one !== form && one.querySelector('textarea') !== null);
  if (form.closest('.talks') === null || others.length === 0 || told.has(form)) return false;
  told.add(form);
  say('What you typed is not sent yet, and would be lost: press again to go on without it.', 'other');
  return true;
}

document.addEventListener('submit', (event) => {
  const form = event.target;
  if (form.method !== 'post') return;
  if (form.getAttribute('aria-busy') === 'true' || leavesTyped(form)) event.preventDefault();
  else form.setAttribute('aria-busy', 'true');
});

// An answer without what was asked for, as that of the sign-in, takes nothing away.
document.addEventListener('htmx:before:swap', (event) => {
  if (event.detail.tasks.some(({ fragment }) => fragment.childElementCount === 0)) event.preventDefault();
});

// A page that the browser kept, when somebody comes back to it.
window.addEventListener('pageshow', () => {
  for (const form of document.forms) form.removeAttribute('aria-busy');
});
