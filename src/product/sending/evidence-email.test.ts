/**
 * An e-mail is handed over again only while it neither was accepted nor came back, whatever responses are lost and in whatever order
 * bounces, delays and forged ones come.
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

/** What comes to the envelope sender of an e-mail that was handed over; `back` counts back from the latest. */
interface Mail {
  readonly back: number;
  readonly what: 'unknownUser' | 'full' | 'delayed' | 'outOfOffice' | 'forged';
}
interface EmailStory {
  readonly handOvers: readonly {
    /** `lost`: the server accepted it, or not, and its response is lost. */
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
  /** The gateway said that it accepted one, the latest one bounced, or the address is known not to exist. */
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
    // Only what the server accepted comes back.
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

test('an e-mail is handed over again only while it neither was accepted nor came back', async () => {
  await fc.assert(fc.asyncProperty(emailStories, playEmail), {
    numRuns: 25,
    examples: [
      // It comes back before the hand-over has ended, and is not sent again.
      [{ handOvers: [{ ...lost, during: { back: 0, what: 'full' } }], steps: ['again', 'again'] }],
      // It comes back twice.
      [{ handOvers: [lost], steps: [{ back: 0, what: 'full' }, { back: 0, what: 'unknownUser' }, 'again'] }],
      // What comes back from the first says that there is no such address, while the second waits to be tried again.
      [{ handOvers: [lost, lost], steps: ['again', { back: 1, what: 'unknownUser' }, 'again', 'again'] }],
      // The first comes back after the second was accepted: the second's state stays.
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
