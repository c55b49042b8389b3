/** Names in the environment that look like settings and are none. */
import { closest, distance } from 'fastest-levenshtein';
import type { Environment } from './setting.ts';
import { namesOf } from './setting.ts';
import { allSettings } from './settings.ts';

/** Of other programs' names nothing is known. */
const own = /^PITLANE_(?!TEST_)/;
/** A name that differs in more letters is another word. */
const lettersAtMost = 6;

/** One warning for each, with the nearest name that there is. */
export function unknownSettings(env: Environment): string[] {
  const known = allSettings.flatMap(namesOf);
  const unknown = Object.keys(env).filter((name) => own.test(name) && !known.includes(name));
  return unknown.sort().map((name) => {
    const nearest = closest(name, known);
    const hint = distance(name, nearest) <= lettersAtMost ? `: did you mean ${nearest}?` : '';
    return `${name} is no setting${hint}`;
  });
}
