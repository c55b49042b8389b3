/** Unknown names in the environment that look like settings. */
import { nearestName } from '#base/values/near-name.ts';
import type { Environment } from './setting.ts';
import { namesOf } from './setting.ts';
import { allSettings } from './settings.ts';

/** Names of other programs are unknown. */
const own = /^PITLANE_(?!TEST_)/i;

/** One warning for each, with the nearest name that there is. */
export function unknownSettings(env: Environment): string[] {
  const known = allSettings.flatMap(namesOf);
  const unknown = Object.keys(env).filter((name) => own.test(name) && !known.includes(name));
  return unknown.sort().map((name) => {
    const nearest = nearestName(name, known, coreOf);
    return `${name} is no setting${nearest === null ? '' : `: did you mean ${nearest}?`}`;
  });
}

/** Without what most names begin with, which is also put before names that have none: `PITLANE_PORT`. */
const coreOf = (name: string) => name.toUpperCase().replace(own, '');
