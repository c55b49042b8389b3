/** The one SMS that says that an opt-out, or its end, has been heard. */

function named(workshop: string): string {
  const name = workshop.replace(/[\s\p{Cc}]+/gu, ' ').trim();
  return [...name].length > 40 ? `${[...name].slice(0, 39).join('')}.` : name;
}

export function confirmationOf(word: 'stop' | 'start', workshop: string): string {
  return word === 'stop'
    ? `${named(workshop)}: you will get no more SMS from us. Reply START to get them again.`
    : `${named(workshop)}: you will get SMS from us again. Reply STOP to end them.`;
}
