/** Makes the console quicker; no place needs it. Keys that act, and forms that are sent once. */

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

// A page that the browser kept, when somebody comes back to it.
window.addEventListener('pageshow', () => {
  for (const form of document.forms) form.removeAttribute('aria-busy');
});

// What is found shows below the box while somebody types: arrow keys go through it, Escape closes it.
const box = document.querySelector('form.find');
if (box !== null) {
  const [input, found, said] = ['find', 'found', 'said'].map((id) => document.getElementById(id));
  let isClosed = false;
  const close = () => {
    isClosed = true;
    found.hidden = true;
  };
  const show = () => {
    found.hidden = isClosed || input.value.trim() === '' || found.childElementCount === 0;
  };

  input.addEventListener('input', () => {
    isClosed = false;
    if (input.value.trim() === '') close();
  });
  box.addEventListener('htmx:after:swap', () => {
    show();
    const count = found.hidden ? null : found.querySelector('[data-count]');
    if (count === null || said.textContent === count.textContent) return;
    said.classList.add('unseen');
    said.textContent = count.textContent;
  });
  document.addEventListener('pointerdown', ({ target }) => {
    if (!box.contains(target)) close();
  });
  box.addEventListener('focusout', ({ relatedTarget }) => {
    if (relatedTarget !== null && !box.contains(relatedTarget)) close();
  });

  box.addEventListener('keydown', (event) => {
    if (found.hidden) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined && event.key !== 'Escape') return;
    event.preventDefault();
    if (step === undefined) {
      close();
      input.focus();
      return;
    }
    const stops = [input, ...found.querySelectorAll('[data-result]')];
    const at = stops.findLastIndex(
      (stop) => stop === event.target || stop.closest('li')?.contains(event.target),
    );
    stops[Math.min(Math.max(at + step, 0), stops.length - 1)].focus();
  });
}

// Undo is offered as long as it can be had; a button that has the focus stays, and says that it is too late.
for (const undo of document.querySelectorAll('.undo[data-left-ms]'))
  setTimeout(() => undo.contains(document.activeElement) || undo.remove(), Number(undo.dataset.leftMs));
