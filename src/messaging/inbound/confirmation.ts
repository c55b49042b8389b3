/** The one SMS that says that an opt-out, or its end, has been heard. */

import { oneLine } from '#values/one-line.ts';
import { shorten } from '#values/shorten.ts';

function named(workshop: string): string {
  return shorten(oneLine(workshop), 40);
}

export function confirmationOf(word: 'stop' | 'start', workshop: string): string {
  return word === 'stop'
    ? `${named(workshop)}: you will get no more SMS from us. Reply START to get them again.`
    : `${named(workshop)}: you will get SMS from us again. Reply STOP to end them.`;
}
