/** Keys that act on every page, and forms that are sent once. */

const takesTyping = (target) =>
  target instanceof Element && target.closest('input, textarea, select, [contenteditable]') !== null;

document.addEventListener('keydown', (event) => {
  const find = document.getElementById('find');
  if (event.key !== '/' || find?.dataset.keys !== 'on' || takesTyping(event.target)) return;
  if (event.metaKey || event.ctrlKey || event.altKey) return;
  event.preventDefault();
  find.focus();
  find.select();
});

document.addEventListener('keydown', (event) => {
  if (event.key !== 'Escape') return;
  const menu = document.querySelector('.menu[open]');
  menu?.removeAttribute('open');
  menu?.querySelector('summary').focus();
});

document.addEventListener('submit', (event) => {
  const form = event.target;
  if (form.method !== 'post') return;
  if (form.getAttribute('aria-busy') === 'true') event.preventDefault();
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
