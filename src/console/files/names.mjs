/**
 * Names for what a page consists of, alike in the page that is open and in the one that was fetched: what belongs together is morphed into
 * each other, and never one booking into another. They are ids that begin with `~`; what has an id keeps it.
 */

const parts =
  'section, form, details, summary, li, tr, a, button, input:not([type="hidden"]), select, textarea';

const linkOf = (part) => part.querySelector('a[href]')?.getAttribute('href');

/** Null: it can't be distinguished from its neighbours. */
function nameOf(part) {
  switch (part.localName) {
    case 'section':
      return part.ariaLabel ?? part.querySelector('h2')?.textContent ?? formOf(part.querySelector('form'));
    case 'form':
      return formOf(part);
    case 'li':
    case 'tr':
      return linkOf(part) ?? null;
    case 'a':
      return part.getAttribute('href');
    case 'details':
    case 'summary':
      return '';
    default:
      return `${part.name}=${part.localName === 'button' || part.type === 'radio' ? part.value : ''}`;
  }
}

/** Its address, and the record that it is about. */
function formOf(form) {
  if (form === null) return null;
  const about = [...form.querySelectorAll('input[type="hidden"]')].filter(
    ({ name }) => !['key', 'version', 'seen'].includes(name),
  );
  return [form.getAttribute('action'), ...about.map(({ value }) => value)].join(' ');
}

export function giveNames(main) {
  const times = new Map();
  for (const part of main.querySelectorAll(parts)) {
    if (part.id !== '' && !part.id.startsWith('~')) continue;
    const name = nameOf(part);
    part.removeAttribute('id');
    if (name === null) continue;
    const around = part.parentElement.closest('section, form, main').id;
    const id = `~${part.localName} ${name} ${around}`;
    const nth = times.get(id) ?? 0;
    times.set(id, nth + 1);
    part.id = nth === 0 ? id : `${id} ${nth}`;
  }
}

export const named = (main, id) => (id === '' ? null : main.querySelector(`[id="${CSS.escape(id)}"]`));
