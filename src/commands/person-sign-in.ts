/** `pitlane person …`: codes to sign in with, sessions and factors. */
import type { Command } from 'commander';
import { actors } from '#base/values/actor.ts';
import type { ShownSession } from '#product/people/sessions/list/store.ts';
import { details, note } from './output.ts';
import { withSession } from './session.ts';
import { table } from './table.ts';
import { at } from './times.ts';
import { verb } from './verb.ts';

/** The commands about signing in. */
export function registerPersonSignIn(person: Command): void {
  const code = {
    usage: 'code <email>',
    summary: 'print a code that signs somebody in, once, within 10 minutes, in any browser',
    examples: ['person code kim@carlton.example', 'person code kim@carlton.example --json'],
    times: true,
  };
  verb(person, code, ([who = '']) =>
    withSession(async ({ db, clock, config }) => {
      const { admittedSealing } = await import('#platform/key-fingerprint/admit.ts');
      const { printCode } = await import('#product/people/codes/print.ts');
      const { actors } = await import('#base/values/actor.ts');
      const sealing = await admittedSealing(db, config);
      const printed = await printCode({ db, clock, sealing }, actors.operator, who);
      note(
        'Whoever types it at /console/sign-in with that e-mail address is signed in: tell it to nobody else.',
      );
      return { json: printed, text: details({ ...printed }) };
    }),
  );

  const sessions = {
    usage: 'sessions <email>',
    summary: "list somebody's sessions, the latest first, until 30 days after their end",
    examples: ['person sessions kim@carlton.example'],
    times: true,
  };
  verb(person, sessions, ([who = '']) =>
    withSession(async ({ db }) => {
      const { requirePerson } = await import('#product/people/store.ts');
      const { listSessions } = await import('#product/people/sessions/list/store.ts');
      const found = await listSessions(db, (await requirePerson(db, who)).personId);
      return { json: found, text: table(found, sessionColumns, ({ endedAt }) => endedAt !== null) };
    }),
  );

  const signOut = {
    usage: 'sign-out <email>',
    summary: "end all of somebody's sessions",
    examples: ['person sign-out kim@carlton.example'],
  };
  verb(person, signOut, ([who = '']) =>
    withSession(async (session) => {
      const { requirePerson } = await import('#product/people/store.ts');
      const { signOutEverywhere } = await import('#product/people/sessions/sign-out.ts');
      const { personId, email } = await requirePerson(session.db, who);
      const ended = await signOutEverywhere(session, actors.operator, personId);
      return {
        json: { personId, email, ended },
        text: `${email} is signed out: ${ended} sessions have ended`,
      };
    }),
  );

  const email = {
    usage: 'email <email> <new>',
    summary:
      'change the e-mail address that somebody signs in with; their sessions end, and both addresses are told where codes are mailed',
    examples: ['person email kim@carlton.example kim@lee.example'],
  };
  verb(person, email, ([who = '', address = '']) =>
    withSession(async (session) => {
      const { changeEmail } = await import('#product/people/email-change/change.ts');
      const changed = await changeEmail(session, actors.operator, who, address);
      return { json: changed, text: `they sign in with ${changed.email} from now on` };
    }),
  );

  const factors = {
    usage: 'reset-factors <email>',
    summary: "take somebody's passkeys, authenticator app and recovery codes away; their sessions end",
    examples: ['person reset-factors kim@carlton.example', 'person reset-factors kim@carlton.example --json'],
  };
  verb(person, factors, ([who = '']) =>
    withSession(async (session) => {
      const { requirePerson } = await import('#product/people/store.ts');
      const { resetFactors } = await import('#product/people/factors/remove.ts');
      const found = await requirePerson(session.db, who);
      const { personId, email } = found;
      const removed = await resetFactors(session, actors.operator, found);
      note('Their sessions have ended. A code alone signs them in now: pitlane person code prints one.');
      return {
        json: { personId, email, removed },
        text: `${email} has no second factor any more: ${removed} were removed`,
      };
    }),
  );
}

const sessionColumns = {
  SESSION: (row: ShownSession) => row.sessionId,
  'SIGNED IN': (row: ShownSession) => at(row.signedInAt),
  'LAST USE': (row: ShownSession) => at(row.usedAt),
  ENDED: (row: ShownSession) => row.endedAt,
  NETWORK: (row: ShownSession) => row.network,
  'USED FROM TOO': (row: ShownSession) => row.usedNetwork,
  BROWSER: (row: ShownSession) => row.browser,
  BY: (row: ShownSession) => row.signedInBy,
};
