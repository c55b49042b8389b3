/**
 * A message is handed over again only while nothing proves that a gateway accepted it, whichever responses are lost and in whatever
 * order reports and look-ups come. E-mails and their bounces: `evidence-email.test.ts`.
 */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { actors } from '#base/values/actor.ts';
import type { DeliveryReport } from '#platform/gateways/sms/callbacks.ts';
import type { OutboundSms, SmsLookUp, SmsOutcome } from '#platform/gateways/sms/gateway.ts';
import { recordReport } from '#product/gateway-callbacks/record-report.ts';
import { reply } from '#product/messaging/inbox/reply.ts';
import { type Connected, connectTo, untilBound } from '../../../packages/smpp/test/connect.ts';
import { startSmsc } from '../../../packages/smpp/test/smsc.ts';
import { forgetRates, messagingWorld, newPhone } from '../../../test/fixtures/messaging.ts';
import { expectErrors } from '../../../test/harness/log.ts';
import { makeAllDue } from '../../../test/harness/sending.ts';

const { app, send, book } = await messagingWorld();
const { context, sms } = app;
const { db, clock } = context;
expectErrors(/a message is given up/);

/** What the gateway does with one hand-over, and what its look-up returns. */
interface HandOver {
  /**
   * `lost`: the response is lost, whether or not the gateway accepted it. `afterUnbind`: an SMPP carrier unbinds, then accepts it.
   */
  readonly answer: 'accepted' | 'refused' | 'lost' | 'afterUnbind';
  readonly isTaken: boolean;
  readonly lookUp: 'truth' | 'notNow' | 'never';
  /** A report that comes during the hand-over, about this hand-over (0) or an earlier one. */
  readonly during: Report | null;
}
interface Report {
  /** Counts back from the latest hand-over. */
  readonly back: number;
  /** `duplicate`: withheld, because the gateway has an earlier hand-over of the same text. */
  readonly state: DeliveryReport['state'] | 'duplicate';
}
type Step = Report | 'again' | 'a minute passes';
const kinds = ['partnerMessage', 'reply', 'bookingNotice'] as const;
interface Story {
  readonly kind: (typeof kinds)[number];
  readonly handOvers: readonly HandOver[];
  readonly steps: readonly Step[];
}

const report = fc.record<Report>({
  back: fc.nat(2),
  state: fc.constantFrom(
    'accepted',
    'accepted',
    'accepted',
    'delivered',
    'undelivered',
    'expired',
    'duplicate',
  ),
});
const stories = fc.record<Story>({
  kind: fc.constantFrom(...kinds),
  handOvers: fc.array(
    fc.record<HandOver>({
      answer: fc.constantFrom('lost', 'lost', 'lost', 'refused', 'accepted', 'afterUnbind'),
      isTaken: fc.boolean(),
      lookUp: fc.constantFrom('truth', 'notNow', 'never', 'never'),
      during: fc.option(report, { freq: 3 }),
    }),
    { minLength: 1, maxLength: 5 },
  ),
  steps: fc.array(fc.oneof(report, fc.constantFrom('again', 'again', 'a minute passes')), {
    minLength: 2,
    maxLength: 9,
  }),
});

const lostForGood: HandOver = { answer: 'lost', isTaken: true, lookUp: 'never', during: null };
const examples: readonly [Story][] = [
  // The acceptance is reported after the failure.
  [
    {
      kind: 'partnerMessage',
      handOvers: [lostForGood],
      steps: [{ back: 0, state: 'undelivered' }, { back: 0, state: 'accepted' }, 'again'],
    },
  ],
  [{ kind: 'reply', handOvers: [lostForGood], steps: ['a minute passes', 'again', 'again'] }],
  ...kinds.map((kind): [Story] => [
    {
      kind,
      handOvers: [{ ...lostForGood, answer: 'afterUnbind' }],
      steps: ['a minute passes', 'again', 'again'],
    },
  ]),
  // A report about the first hand-over comes during the second, whose response is lost too.
  ...kinds.map((kind): [Story] => [
    {
      kind,
      handOvers: [lostForGood, { ...lostForGood, during: { back: 1, state: 'accepted' } }],
      steps: ['a minute passes', 'again', 'a minute passes', 'again', 'again'],
    },
  ]),
  // The second hand-over, accepted or lost, is withheld as a duplicate of the first.
  ...(['accepted', 'lost'] as const).flatMap((answer) =>
    (['partnerMessage', 'bookingNotice'] as const).map((kind): [Story] => [
      {
        kind,
        handOvers: [lostForGood, { ...lostForGood, answer }],
        steps: ['a minute passes', 'again', { back: 0, state: 'duplicate' }, 'a minute passes', 'again'],
      },
    ]),
  ),
];

/** Simulates the gateway of the story for one phone, and records what it reported to the product. */
function gatewayOf(story: Story, unbinding: Connected) {
  const handed: (OutboundSms & HandOver)[] = [];
  /** References that a report called undelivered or expired: a later report does not change that. */
  const undelivered = new Set<string>();
  let isProven = false;
  const violations: string[] = [];

  async function tell({ back, state }: Report): Promise<void> {
    const about = handed.at(-1 - back);
    // A gateway reports only on messages that it accepted.
    if (!about?.isTaken) return;
    if (state === 'duplicate') {
      const before = handed.slice(0, handed.indexOf(about));
      // A gateway withholds a duplicate only of an SMS that it has and that was not undelivered.
      if (!before.some(({ isTaken, reference }) => isTaken && !undelivered.has(reference))) return;
      const withheld = {
        reference: about.reference,
        state: 'undelivered',
        detail: null,
        duplicate: true,
      } as const;
      await recordReport({ db, clock }, 'recorded', withheld);
      isProven = true;
      return;
    }
    await recordReport({ db, clock }, 'recorded', { reference: about.reference, state, detail: null });
    // An undelivered message may be sent again.
    if (state === 'undelivered' || state === 'expired') undelivered.add(about.reference);
    else if (!undelivered.has(about.reference)) isProven = true;
  }
  return {
    handed,
    violations,
    tell,
    isProven: () => isProven,
    mayBeUndelivered: () => undelivered.size > 0,
    async take(sent: OutboundSms): Promise<SmsOutcome> {
      const { length } = handed;
      if (isProven) violations.push(`hand-over ${length + 1} although it was accepted`);
      const script = story.handOvers[length] ?? lostForGood;
      const isTaken = script.answer === 'lost' ? script.isTaken : script.answer !== 'refused';
      handed.push({ ...sent, ...script, isTaken });
      if (script.during !== null) await tell(script.during);
      if (script.answer === 'lost') return { state: 'unknown', detail: 'No answer.' };
      if (script.answer === 'afterUnbind') {
        await untilBound(unbinding);
        isProven = true;
        return unbinding.send(sent);
      }
      if (script.answer === 'accepted') {
        isProven = true;
        return { state: 'accepted', gatewayId: sent.reference };
      }
      return { state: 'refused', permanent: false, reason: 'temporarilyRefused', detail: 'Later.' };
    },
    lookUp(reference: string): SmsLookUp {
      const about = handed.find((sent) => sent.reference === reference);
      if (about === undefined || about.lookUp === 'never') return { state: 'unknown', permanent: true };
      if (about.lookUp === 'notNow') return { state: 'unknown' };
      if (!about.isTaken) return { state: 'notFound' };
      isProven = true;
      return { state: 'accepted', gatewayId: reference };
    },
  };
}

async function play(story: Story, unbinding: Connected): Promise<void> {
  const phone = newPhone();
  const { kind } = story;
  const conversationId =
    kind === 'reply' ? (await send({ phone, referenceId: 'first' })).sms.conversationId : '';
  const gateway = gatewayOf(story, unbinding);
  sms.always(phone, gateway.take);
  sms.lookUp = async (reference) => gateway.lookUp(reference);
  const begin = {
    partnerMessage: () => send({ phone, referenceId: 'R' }),
    reply: () => reply(context, conversationId, 'At 5 pm.', actors.operator),
    bookingNotice: () => book(phone),
  };
  async function again(): Promise<void> {
    await forgetRates(app);
    if (kind === 'partnerMessage') await send({ phone, referenceId: 'R' });
    await makeAllDue(db);
    await app.drain();
  }

  await begin[kind]();
  await app.drain();
  for (const step of story.steps) {
    if (step === 'again') await again();
    else if (step === 'a minute passes')
      await db.query(
        `UPDATE message_attempt a SET started_at = a.started_at - interval '1 minute' FROM message m
          WHERE m.id = a.message_id AND m.recipient = $1 AND m.kind = $2`,
        [phone, kind],
      );
    else await gateway.tell(step);
  }
  assert.deepEqual(gateway.violations, []);
  assert.ok(gateway.handed.length > 0);
  const [message] = await db.query<{ state: string }>(
    `SELECT state FROM message WHERE recipient = $1 AND kind = $2 AND channel = 'sms' ORDER BY id DESC LIMIT 1`,
    [phone, kind],
  );
  const isOpen = ['sending', 'failed', 'unknown'].includes(message?.state ?? '');
  assert.ok(!(gateway.isProven() && isOpen), `accepted, but the message is ${message?.state}`);
  const isUndelivered = ['undelivered', 'expired'].includes(message?.state ?? '');
  assert.ok(
    !isUndelivered || gateway.mayBeUndelivered(),
    `the message is ${message?.state}, but no report says so`,
  );
}

test('always: a message is handed over again only while nothing proves that a gateway accepted it', async (t) => {
  const smsc = await startSmsc({ answer: (_, id) => ({ id, afterUnbind: true }) });
  const unbinding = connectTo(t, smsc.port);
  const property = fc.asyncProperty(stories, (story) => play(story, unbinding));
  await fc.assert(property, { numRuns: 25, examples: [...examples] });
});
