/** Shows results below the box while somebody types: arrow keys move through them, Escape closes them. */
import { isSaid, say } from './said.mjs';

let isClosed = false;

const box = () => document.querySelector('form.find');
const input = () => document.getElementById('find');
const found = () => document.getElementById('found');
const isIn = (target) => target instanceof Node && box()?.contains(target) === true;

function close() {
  isClosed = true;
  const list = found();
  if (list !== null) list.hidden = true;
}

document.addEventListener('input', ({ target }) => {
  if (target !== input()) return;
  isClosed = false;
  if (target.value.trim() === '') close();
});

document.addEventListener('htmx:after:swap', ({ target }) => {
  if (!isIn(target)) return;
  const list = found();
  list.hidden = isClosed || input().value.trim() === '' || list.childElementCount === 0;
  const count = list.hidden ? null : list.querySelector('[data-count]');
  if (count !== null && !isSaid(count.textContent)) say(count.textContent, 'unseen');
});

document.addEventListener('pointerdown', ({ target }) => {
  if (!isIn(target)) close();
});

document.addEventListener('focusout', ({ target, relatedTarget }) => {
  if (isIn(target) && relatedTarget !== null && !isIn(relatedTarget)) close();
});

document.addEventListener('keydown', (event) => {
  if (!isIn(event.target) || found().hidden) return;
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step === undefined && event.key !== 'Escape') return;
  event.preventDefault();
  if (step === undefined) {
    close();
    input().focus();
    return;
  }
  const stops = [input(), ...found().querySelectorAll('[data-result]')];
  const at = stops.findLastIndex(
    (stop) => stop === event.target || stop.closest('li')?.contains(event.target),
  );
  stops[Math.min(Math.max(at + step, 0), stops.length - 1)].focus();
});
