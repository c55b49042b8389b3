/** `pitlane message send`: the workshop's staff text a customer. */

import type { Command } from 'commander';
import { OperatorError } from '#base/operator-error.ts';
import { actors } from '#base/values/actor.ts';
import type { OwnMessage } from '#product/messaging/staff/send.ts';
import { type GroundFlags, groundOf, withGround } from './ground.ts';
import { details, note } from './output.ts';
import { type Session, withSession } from './session.ts';
import { UsageError } from './usage-error.ts';
import { verb } from './verb.ts';
import { withWorkshop, workshopOf } from './workshop-option.ts';

interface Whom {
  readonly phone?: string;
  readonly booking?: string;
  readonly customer?: string;
  readonly workshop?: string;
}

interface SendOptions extends Whom, GroundFlags {
  readonly text?: string;
  readonly template?: string;
}

export function registerSend(message: Command): void {
  const send = {
    usage: 'send',
    summary: "send a customer an SMS of the workshop's own; a running server delivers it",
    examples: [
      'message send --phone "0491 570 006" --text "We found your keys." --reason "Left them at the counter"',
      'message send --booking 7K3M9QXW --template "Ready"',
      'message send --customer 0198c6a5-… --text "Please call us."',
    ],
  };
  const sent = verb<SendOptions>(
    message,
    send,
    async (_, { text, template, reason, allowAbroad, ...whom }) => {
      const content = contentOf(text, template);
      if ([whom.phone, whom.booking, whom.customer].filter((each) => each !== undefined).length !== 1)
        throw new UsageError('name the customer by one of --phone, --booking and --customer');
      return withSession(async (session) => {
        const { sendOwnMessage } = await import('#product/messaging/staff/send.ts');
        const queued = await sendOwnMessage(session, {
          ...(await addressed(session, whom)),
          ...{ content, actor: actors.operator, ground: groundOf({ reason, allowAbroad }) },
        });
        note('It is sent when a server runs, at once or later: pitlane message show tells.');
        return { json: queued, text: details({ ...queued }) };
      });
    },
  );
  withGround(withWorkshop(sent, 'the workshop, for --phone'))
    .option('--phone <phone>', "to this phone, in any form of the workshop's country")
    .option('--booking <booking>', 'to the customer of this booking, by its code or id')
    .option('--customer <id>', 'to this customer')
    .option('--text <text>', 'what to say, at most 10 SMS segments')
    .option('--template <template>', 'a published inbox template, by its name or id, in place of --text');
}

function contentOf(text: string | undefined, template: string | undefined): OwnMessage['content'] {
  if (text !== undefined && template === undefined) return { text };
  if (template !== undefined && text === undefined) return { template };
  throw new UsageError('say what to send by one of --text and --template');
}

/** A booking and a customer belong to a workshop: `--workshop` must match it. */
async function addressed(session: Session, whom: Whom): Promise<Omit<OwnMessage, 'content' | 'actor'>> {
  const { db } = session;
  if (whom.phone !== undefined) {
    const { parsePhone } = await import('#base/values/phone.ts');
    const { workshopId, country } = await workshopOf(session, whom.workshop);
    const phone = parsePhone(whom.phone, country);
    if (phone === null)
      throw new UsageError(`--phone is not a phone number in ${country}, or one with its country code`);
    return { workshopId, to: { phone }, bookingId: null };
  }
  const found = await theirs(db, whom);
  if (whom.workshop) {
    const { workshopId, name } = await workshopOf(session, whom.workshop);
    if (workshopId !== found.workshopId) throw new OperatorError(`the customer is not one of ${name}`);
  }
  return found;
}

async function theirs(
  db: Session['db'],
  { booking, customer }: Whom,
): Promise<Omit<OwnMessage, 'content' | 'actor'>> {
  if (booking !== undefined) {
    const { bookingRecord } = await import('#product/bookings/record.ts');
    const { requireRecord } = await import('#platform/records/staff/find.ts');
    const { id, workshopId, customerId } = await requireRecord(db, bookingRecord, booking);
    return { workshopId, to: { customerId }, bookingId: id };
  }
  const { requireCustomer } = await import('#product/customers/store.ts');
  const { workshopId, customerId } = await requireCustomer(db, customer ?? '');
  return { workshopId, to: { customerId }, bookingId: null };
}
