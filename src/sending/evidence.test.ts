/**
 * A message is handed over again only while nothing proves that a gateway accepted it, whatever responses are lost and in
 * whatever order reports and look-ups come. Of e-mails and their bounces: `evidence-email.test.ts`.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { recordReport } from '#gateway-callbacks/record-report.ts';
import type { DeliveryReport } from '#gateways/sms/callbacks.ts';
import type { OutboundSms, SmsLookUp, SmsOutcome } from '#gateways/sms/gateway.ts';
import { reply } from '#messaging/inbox/reply.ts';
import { forgetRates, messagingWorld, newPhone } from '../../test/fixtures/messaging.ts';
import { expectErrors } from '../../test/harness/log.ts';
import { makeAllDue } from '../../test/harness/sending.ts';

const { app, send, book } = await messagingWorld();
const { context, sms } = app;
const { db, clock } = context;
expectErrors(/a message is given up/);

/** What the gateway does with one hand-over, and what its look-up says. */
interface HandOver {
  /** `lost`: the gateway accepted it, or not, and its response is lost. */
  readonly answer: 'accepted' | 'refused' | 'lost';
  readonly isTaken: boolean;
  readonly lookUp: 'truth' | 'notNow' | 'never';
  /** During the hand-over, a report about this one (0) or an earlier one comes first. */
  readonly during: Report | null;
}
interface Report {
  /** Counts back from the latest hand-over. */
  readonly back: number;
  readonly state: DeliveryReport['state'];
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
  state: fc.constantFrom('accepted', 'accepted', 'accepted', 'delivered', 'undelivered', 'expired'),
});
const stories = fc.record<Story>({
  kind: fc.constantFrom(...kinds),
  handOvers: fc.array(
    fc.record<HandOver>({
      answer: fc.constantFrom('lost', 'lost', 'lost', 'refused', 'accepted'),
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
  // A report about the first comes during the second, whose response is lost too.
  ...kinds.map((kind): [Story] => [
    {
      kind,
      handOvers: [lostForGood, { ...lostForGood, during: { back: 1, state: 'accepted' } }],
      steps: ['a minute passes', 'again', 'a minute passes', 'again', 'again'],
    },
  ]),
];

/** Plays a gateway by the story for one phone, and records what the gateway told the product. */
function gatewayOf(story: Story) {
  const handed: (OutboundSms & HandOver)[] = [];
  /** References of what a report has called undelivered or expired: a later report does not change that. */
  const undelivered = new Set<string>();
  let isProven = false;
  const violations: string[] = [];

  async function tell({ back, state }: Report): Promise<void> {
    const about = handed.at(-1 - back);
    // A gateway reports only on messages that it accepted.
    if (!about?.isTaken) return;
    await recordReport(db, 'recorded', { reference: about.reference, state, detail: null }, clock.now());
    // An undelivered message may be sent again.
    if (state === 'undelivered' || state === 'expired') undelivered.add(about.reference);
    else if (!undelivered.has(about.reference)) isProven = true;
  }
  return {
    handed,
    violations,
    tell,
    isProven: () => isProven,
    async take(sent: OutboundSms): Promise<SmsOutcome> {
      const { length } = handed;
      if (isProven) violations.push(`hand-over ${length + 1} although it was accepted`);
      const script = story.handOvers[length] ?? lostForGood;
      const isTaken = script.answer === 'lost' ? script.isTaken : script.answer === 'accepted';
      handed.push({ ...sent, ...script, isTaken });
      if (script.during !== null) await tell(script.during);
      if (script.answer === 'lost') return { state: 'unknown', detail: 'No answer.' };
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

async function play(story: Story): Promise<void> {
  const phone = newPhone();
  const { kind } = story;
  const conversationId =
    kind === 'reply' ? (await send({ phone, referenceId: 'first' })).sms.conversationId : '';
  const gateway = gatewayOf(story);
  sms.always(phone, gateway.take);
  sms.lookUp = async (reference) => gateway.lookUp(reference);
  const begin = {
    partnerMessage: () => send({ phone, referenceId: 'R' }),
    reply: () => reply(db, clock, conversationId, 'At 5 pm.'),
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
}

test('a message is handed over again only while nothing proves that it was accepted', async () => {
  await fc.assert(fc.asyncProperty(stories, play), { numRuns: 25, examples: [...examples] });
});
