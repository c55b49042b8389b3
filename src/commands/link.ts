/** `pitlane link` and `pitlane feature`: what a partner may do. */
import type { Command } from 'commander';
import type { Feature } from '#partners/features.ts';
import { withSession } from './session.ts';
import { UsageError } from './usage-error.ts';
import { verb } from './verb.ts';

export function registerLink(program: Command): void {
  const link = {
    usage: 'link <partner> <workshop>',
    summary: 'let a partner work for a workshop, or with --off no longer',
    examples: ['link 0198c6a2-… 0198c6a3-…', 'link 0198c6a2-… 0198c6a3-… --off'],
  };
  verb<{ off?: true }>(program, link, ([partnerId = '', workshopId = ''], { off }) =>
    withSession(async ({ db, clock }) => {
      const { setLink } = await import('#workshops/link.ts');
      const set = await setLink(db, clock, { partnerId, workshopId, active: !off });
      const text = `the link of partner ${set.partnerId} and workshop ${set.workshopId} is ${set.active ? 'on' : 'off'}`;
      return { json: set, text };
    }),
  ).option(
    '--off',
    'switch the link off: nothing is written or sent any more, own bookings can still be read',
  );

  const feature = {
    usage: 'feature <partner> <feature> <state>',
    summary: 'switch a feature of a partner on or off; there are: messaging, campaigns',
    examples: ['feature 0198c6a2-… messaging off', 'feature 0198c6a2-… campaigns off'],
  };
  verb(program, feature, async ([partnerId = '', name = '', state = '']) => {
    const { features, setFeature } = await import('#partners/features.ts');
    const known: Feature | undefined = features.find((one) => one === name);
    if (!known) throw new UsageError(`there is no feature "${name}"; there are: ${features.join(', ')}`);
    if (state !== 'on' && state !== 'off') throw new UsageError(`"${state}" is neither on nor off`);
    return withSession(async ({ db, clock }) => {
      const change = { partnerId, feature: known, enabled: state === 'on' };
      await setFeature(db, clock, change);
      return { json: change, text: `${known} is ${state} for partner ${partnerId}` };
    });
  });
}
