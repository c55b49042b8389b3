/** Names in the environment that look like settings, and are none any more or never were. */
import { nearestName } from '#base/values/near-name.ts';
import type { Environment } from './setting.ts';
import { formerText, namesReadOf } from './setting.ts';
import { allSettings } from './settings.ts';

/** Names of other programs are unknown. */
const own = /^PITLANE_(?!TEST_)/i;

/** The present names of settings that had another one, by that. */
const presentOf: ReadonlyMap<string, string> = new Map(
  allSettings.flatMap(({ name, formerly }) => (formerly === undefined ? [] : [[formerly, name]])),
);

/** One warning for each, with the nearest name that there is. */
export function unknownSettings(env: Environment): string[] {
  const known = allSettings.flatMap(namesReadOf);
  const unknown = Object.keys(env).filter((name) => own.test(name) && !known.includes(name));
  return unknown.sort().map((name) => {
    const nearest = nearestName(name, known, coreOf);
    const meant = nearest && (presentOf.get(nearest) ?? nearest);
    return `${name} is no setting${meant === null ? '' : `: did you mean ${meant}?`}`;
  });
}

/** One warning for each setting that stands there under the name of an earlier release. */
export const renamedSettings = (env: Environment): string[] =>
  allSettings
    .filter((each) => formerText(env, each) !== undefined)
    .map(({ name, formerly }) => `${formerly} is called ${name} now: the old name is still read`);

/** Without what most names begin with, which is also put before names that have none: `PITLANE_PORT`. */
const coreOf = (name: string) => name.toUpperCase().replace(own, '');
