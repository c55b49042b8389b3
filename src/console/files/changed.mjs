/** The live region's messages about changes of the open record, and about a page that can no longer follow. */

import { named } from './names.mjs';
import { say } from './said.mjs';
import { typedForms, versionOf } from './typed.mjs';

const stateOf = (main) =>
  [...main.querySelectorAll('[data-now] .mark')].map(({ textContent }) =>
    textContent.replace(/[^\p{L} ]/gu, '').trim(),
  );

/** The last version announced. */
let saidOf = null;

/** A change of the page's record, announced once for each version. */
export function sayChanged(main, next) {
  const { version } = next.dataset;
  if (!version || version === main.dataset.version || version === saidOf) return;
  saidOf = version;
  if ('form' in main.dataset)
    return say('Changed by somebody since you opened this: look before you send it.', 'other');
  const before = stateOf(main);
  const now = stateOf(next).filter((state) => !before.includes(state));
  say(now.length > 0 ? `Changed by somebody: now ${now.join(', ')}` : 'Changed by somebody.', 'other');
}

/** A change on a page about several records while somebody types in a form. */
export function sayTyped(main, next) {
  const isStale = typedForms(main).some((form) => {
    const its = named(next, form.id);
    return its !== null && versionOf(its) !== versionOf(form);
  });
  if (isStale && !next.dataset.version)
    say('Changed by somebody while you type: sending it shows you how.', 'other');
}

/** The page can follow again. */
export const sayNothing = () => say('', '');

const reasons = {
  'signed-out': 'You are signed out. What you have typed stays here.',
  gone: 'This page is no longer there, or no longer yours. What you have typed stays here.',
  other: 'Somebody else has signed in in this browser. What you have typed stays here.',
};

/** With a link that opens in another tab, so that nothing typed is lost. */
export function sayEnded(why) {
  const here = location.pathname + location.search;
  const link = document.createElement('a');
  if (why === 'signed-out') {
    link.href = `/console/sign-in?${new URLSearchParams({ next: here })}`;
    link.target = '_blank';
    link.textContent = 'Sign in again';
  } else {
    link.href = why === 'other' ? here : '/console';
    link.textContent = why === 'other' ? 'Show the page as theirs' : 'Go on to your first page';
  }
  say(`${reasons[why]} `, 'other', link);
}
