/**
 * An e-mail is handed over again only while it was neither accepted nor bounced, whichever responses are lost and in whatever order
 * bounces, delays and forged reports come.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { newId } from '#base/values/id.ts';
import { receiveMail } from '#product/messaging/inbox/mail/receive.ts';
import { deliveryReport, outOfOffice, unknownUser } from '../../../test/fixtures/bounces.ts';
import { messagingWorld, newPhone } from '../../../test/fixtures/messaging.ts';
import { expectErrors } from '../../../test/harness/log.ts';
import { makeAllDue } from '../../../test/harness/sending.ts';

const { app, book } = await messagingWorld({ config: { inboundMailDomain: 'reply.pitlane.example' } });
const { context, email } = app;
const { db } = context;
expectErrors(/a message is given up/);

const lost = { answer: 'lost', isTaken: true, during: null } as const;

/** What is delivered to the envelope sender of an e-mail; `back` counts hand-overs back from the latest one. */
interface Mail {
  readonly back: number;
  readonly what: 'unknownUser' | 'full' | 'delayed' | 'outOfOffice' | 'forged';
}
interface EmailStory {
  readonly handOvers: readonly {
    /** `lost`: the response is lost, whether or not the server accepted the e-mail. */
    readonly answer: 'accepted' | 'refused' | 'lost';
    readonly isTaken: boolean;
    readonly during: Mail | null;
  }[];
  readonly steps: readonly (Mail | 'again')[];
}

const mail = fc.record<Mail>({
  back: fc.nat(2),
  what: fc.constantFrom('unknownUser', 'full', 'full', 'delayed', 'outOfOffice', 'forged'),
});
const emailStories = fc.record<EmailStory>({
  handOvers: fc.array(
    fc.record({
      answer: fc.constantFrom<'accepted' | 'refused' | 'lost'>('lost', 'lost', 'refused', 'accepted'),
      isTaken: fc.boolean(),
      during: fc.option(mail, { freq: 3 }),
    }),
    { minLength: 1, maxLength: 4 },
  ),
  steps: fc.array(fc.oneof(mail, fc.constant('again' as const)), { minLength: 2, maxLength: 6 }),
});

const bodyOf = (to: string, what: Mail['what']) => {
  if (what === 'outOfOffice') return outOfOffice;
  const [action, status] = what === 'delayed' ? ['delayed', '4.4.1'] : ['failed', '5.2.2'];
  return what === 'full' || what === 'delayed'
    ? deliveryReport([[`Final-Recipient: rfc822; ${to}`, `Action: ${action}`, `Status: ${status}`]])
    : deliveryReport([unknownUser(to)]);
};

async function playEmail(story: EmailStory): Promise<void> {
  const [phone, to] = [newPhone(), `${newId()}@customer.example`];
  const handed: { readonly sender: string; readonly isTaken: boolean; isBounced: boolean }[] = [];
  const violations: string[] = [];
  /** True once the gateway reported an acceptance, the latest hand-over bounced, or the address is known not to exist. */
  let isOver = false;
  const row = async () => {
    const [found] = await db.query<{ state: string; bounced: string | null }>(
      `SELECT m.state, c.bounced_email AS bounced FROM message m JOIN customer c ON c.id = m.customer_id
        WHERE m.recipient = $1`,
      [to],
    );
    return found;
  };
  async function tell({ back, what }: Mail): Promise<void> {
    const about = handed.at(-1 - back);
    // Only an e-mail that the server accepted can bounce.
    if (!about?.isTaken) return;
    const before = await row();
    const address =
      what === 'forged' ? about.sender.replace(/^bounce\+.{8}/, 'bounce+00000000') : about.sender;
    const got = await receiveMail(context, { to: address, sender: '', raw: bodyOf(to, what) });
    if (got.state !== 'undelivered') return assert.deepEqual(await row(), before, what);
    if (about.isBounced || !['unknownUser', 'full'].includes(what)) violations.push(`undelivered by ${what}`);
    about.isBounced = true;
    const isMarked = (await row())?.bounced === to;
    if (isMarked !== (what === 'unknownUser' || before?.bounced === to)) violations.push(`marked by ${what}`);
    if (back === 0 || isMarked) isOver = true;
  }
  email.always(to, async ({ envelopeSender }) => {
    if (isOver) violations.push(`hand-over ${handed.length + 1} although it was over`);
    const script = story.handOvers[handed.length] ?? lost;
    const { answer } = script;
    handed.push({
      sender: envelopeSender ?? '',
      isTaken: answer === 'lost' ? script.isTaken : answer === 'accepted',
      isBounced: false,
    });
    if (script.during !== null) await tell(script.during);
    if (answer === 'lost') return { state: 'unknown', detail: 'No answer.' };
    if (answer === 'refused')
      return { state: 'refused', permanent: false, reason: 'temporarilyRefused', detail: 'Later.' };
    isOver = true;
    return { state: 'accepted', gatewayId: envelopeSender ?? '' };
  });

  await book(phone, { customerEmail: to });
  await app.drain();
  for (const step of story.steps) {
    if (step === 'again') {
      await makeAllDue(db);
      await app.drain();
    } else {
      await tell(step);
    }
  }
  assert.deepEqual(violations, []);
  const state = (await row())?.state ?? '';
  if (handed.at(-1)?.isBounced) assert.equal(state, 'undelivered');
  else assert.ok(['accepted', 'unknown', 'failed', 'undelivered'].includes(state), state);
}

test('always: an e-mail is handed over again only while it was neither accepted nor bounced', async () => {
  await fc.assert(fc.asyncProperty(emailStories, playEmail), {
    numRuns: 25,
    examples: [
      // The bounce comes before the hand-over has ended; the e-mail is not sent again.
      [{ handOvers: [{ ...lost, during: { back: 0, what: 'full' } }], steps: ['again', 'again'] }],
      // The e-mail bounces twice.
      [{ handOvers: [lost], steps: [{ back: 0, what: 'full' }, { back: 0, what: 'unknownUser' }, 'again'] }],
      // The first bounce reports an unknown address while the second attempt waits for its retry.
      [{ handOvers: [lost, lost], steps: ['again', { back: 1, what: 'unknownUser' }, 'again', 'again'] }],
      // The first bounces after the second was accepted: the state of the second stays.
      [
        {
          handOvers: [lost, { ...lost, answer: 'accepted' }],
          steps: [
            'again',
            { back: 1, what: 'full' },
            { back: 0, what: 'delayed' },
            { back: 0, what: 'unknownUser' },
          ],
        },
      ],
    ],
  });
});
