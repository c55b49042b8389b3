/** Morphs the open page into the fetched one with htmx: unchanged elements are kept. */
import htmx from './htmx.esm.min.js';
import { giveNames, named } from './names.mjs';
import { typedForms } from './typed.mjs';

/** Elements that stay as they are. */
let kept = new Set();

htmx.registerExtension('kept', { htmx_before_morph_node: (old) => !kept.has(old) });

/**
 * Names both pages, and gives the fetched one what the open one has by hand: what is unfolded, forms in which was typed, and what is in use
 * and that the new page lacks. True: nothing is left for later, when it is no longer in use.
 */
export function prepare(main, next, inUse) {
  giveNames(next);
  for (const details of main.querySelectorAll('details')) {
    const its = named(next, details.id);
    if (its !== null) its.open = details.open;
  }
  kept = new Set(typedForms(main));
  for (const form of kept)
    if (named(next, form.id) === null && !keepGone(next, form, goneNote()))
      next.append(goneNote(), copyOf(form));
  const gone = inUse.filter(({ id }) => named(next, id) === null);
  for (const one of gone) if (named(next, one.id) === null) keepGone(next, one);
  return gone.length === 0;
}

function goneNote() {
  const note = document.createElement('p');
  note.className = 'notice';
  note.textContent =
    'This can no longer be sent as it is: something changed meanwhile. What was typed is kept.';
  return note;
}

const copyOf = (one) => one.cloneNode(true);

/** Inserts a copy, which represents it in the morph, between the same neighbours. False: none of them exists. */
function keepGone(next, one, ...more) {
  let whole = one;
  for (;;) {
    const around = whole.parentElement.closest('[id]');
    if (around.localName === 'main' || named(next, around.id) !== null) break;
    whole = around;
  }
  const copy = copyOf(whole);
  let beside = whole.previousElementSibling;
  while (beside && named(next, beside.id) === null) beside = beside.previousElementSibling;
  if (beside) named(next, beside.id).after(copy, ...more);
  else {
    beside = whole.nextElementSibling;
    while (beside && named(next, beside.id) === null) beside = beside.nextElementSibling;
    if (!beside) return false;
    named(next, beside.id).before(copy, ...more);
  }
  kept.add(whole);
  return true;
}

/** Throws nothing: htmx does all of it before it returns. */
export function morph(main, next) {
  Object.assign(main.dataset, next.dataset);
  void htmx.swap({ sourceElement: main, target: main, text: next.innerHTML, swap: 'innerMorph' });
  kept = new Set();
}

const sheet = new CSSStyleSheet();
document.adoptedStyleSheets.push(sheet);

const first = document.querySelector('link[rel="stylesheet"] ~ style');
let rules = first?.textContent ?? '';

/** Takes other rules of the page alone than it began with: its policy knows the first ones by their hash. Returns those that were in force before. */
export function takeRules(text) {
  const before = rules;
  if (text !== before) {
    if (first !== null) first.sheet.disabled = true;
    sheet.replaceSync(text);
    rules = text;
  }
  return before;
}
