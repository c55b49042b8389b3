/** `pitlane workshop second-factor`: whether a workshop requires one of its people. */
import type { Command } from 'commander';
import { actors } from '#base/values/actor.ts';
import { withSession } from './session.ts';
import { UsageError } from './usage-error.ts';
import { verb } from './verb.ts';

export function registerSecondFactor(workshop: Command): void {
  const spec = {
    usage: 'second-factor <workshop> [required|optional]',
    summary: 'whether its people need a second factor to sign in; says how it is unless told',
    examples: [
      'workshop second-factor carlton-motors',
      'workshop second-factor carlton-motors required',
      'workshop second-factor carlton-motors optional --json',
    ],
  };
  verb(workshop, spec, ([named = '', given]) =>
    withSession(async (session) => {
      if (given !== undefined && given !== 'required' && given !== 'optional')
        throw new UsageError('say required or optional');
      const { requireWorkshop } = await import('#product/workshops/store.ts');
      const { workshopId, slug } = await requireWorkshop(session.db, named);
      if (given !== undefined) {
        const { requireSecondFactor } = await import('#product/people/factors/require.ts');
        await requireSecondFactor(session, actors.operator, { workshopId, required: given === 'required' });
      }
      const { readRequirement } = await import('#product/workshops/second-factor/store.ts');
      const secondFactor = (await readRequirement(session.db, workshopId)) ? 'required' : 'optional';
      return {
        json: { workshopId, slug, secondFactor },
        text: `a second factor is ${secondFactor} at ${slug}`,
      };
    }),
  );
}
