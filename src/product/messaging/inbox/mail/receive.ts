/**
 * Receives e-mails to the product's addresses: a workshop's reply is queued like a reply by command line (`../reply.ts`), a bounce
 * settles the bounced e-mail.
 */

import { InvalidInput, OperatorError } from '#base/operator-error.ts';
import { actors } from '#base/values/actor.ts';
import { idOf } from '#base/values/id.ts';
import { Problem } from '#errors.ts';
import { countAttempt } from '#platform/attempts/limit.ts';
import type { ChangeContext } from '#platform/change/change.ts';
import type { Context } from '#platform/context.ts';
import type { Database } from '#platform/db/database.ts';
import { readSignedAddress } from '#platform/gateways/email/signed-address.ts';
import type { RateLimit } from '#platform/http/rate-limit.ts';
import { type Reply, reply } from '../reply.ts';
import { isNullSender } from './bounce/origin.ts';
import { type BounceOutcome, receiveBounce } from './bounce/receive.ts';
import { whyNotRead } from './bounds.ts';
import { type MailHeaders, readHeaders } from './headers.ts';
import { parseInWorker, TooComplex } from './parse-in-worker.ts';
import type { SentMail } from './sent-mail.ts';
import { findSentMail } from './store.ts';

export interface ReceivedMail {
  /** The recipient of the envelope. */
  readonly to: string;
  /** The sender of the envelope; empty: a bounce. Null: unknown. */
  readonly sender: string | null;
  readonly raw: Buffer;
}

export type MailOutcome =
  | (Reply & { readonly state: 'queued' })
  /** The same e-mail came before, and its reply was queued then. */
  | { readonly state: 'repeated'; readonly conversationId: string }
  /**
   * Dropped without an answer. `automatic`: a program sent it, and two programs could answer each other forever. `unknownAddress`:
   * the address was given to nobody; spam has forged authors.
   */
  | { readonly state: 'dropped'; readonly reason: 'automatic' | 'unknownAddress' }
  | BounceOutcome;

/** The e-mail can't become a reply; the message is for its author. */
export class MailRefused extends OperatorError {}

/**
 * Applies an e-mail once, however often it is delivered: its Message-ID is the reply's cause. Only the headers are read until
 * address and author are verified. Throws MailRefused.
 */
export async function receiveMail(
  context: ChangeContext & Pick<Context, 'config' | 'sealing'>,
  { to, sender, raw }: ReceivedMail,
): Promise<MailOutcome> {
  const { db, clock, config, sealing } = context;
  const known = readSignedAddress(sealing, to, clock.machineNow());
  const isLateBounce = known?.use === 'bounce' && known.isExpired;
  if (known === null || isLateBounce) return { state: 'dropped', reason: 'unknownAddress' };
  if (known.use === 'bounce') return receiveBounce({ db, clock }, { attemptId: known.id, sender, raw });
  const headers = await headersOf(raw);
  if (headers.isAutomatic || (sender !== null && isNullSender(sender))) {
    return { state: 'dropped', reason: 'automatic' };
  }
  if (known.isExpired) {
    throw new MailRefused(
      'the address for replies has expired: reply to a newer e-mail, or call or text the customer',
    );
  }
  const { id: conversationId } = known;
  const sent = await findSentMail(db, conversationId, config.mailFrom);
  const author = requireAuthor(headers, sent);
  await countMail(db, conversationId);
  const text = await textOf(raw, sent);
  const causeId = idOf(`${conversationId} ${headers.messageId ?? raw.toString('latin1')}`);
  const send = () => reply(context, conversationId, text, actors.operator, { causeId, author });
  return accepted(send, conversationId);
}

async function headersOf(raw: Buffer): Promise<MailHeaders> {
  try {
    return await readHeaders(raw);
  } catch {
    throw new MailRefused('the headers of the e-mail can not be read');
  }
}

function requireAuthor({ author }: MailHeaders, { recipients }: SentMail): string {
  if (author === null) throw new MailRefused('the e-mail must have one author: one address in From');
  if (!recipients.includes(author)) {
    throw new MailRefused(
      'replies are taken from the addresses of the workshop alone: write from the one that got the e-mail',
    );
  }
  return author;
}

/** Each e-mail may become an SMS that the workshop pays for, and everybody who has seen the address can forge the author. */
const limit: RateLimit = { policy: 'mail-replies', quota: 30, windowSeconds: 3_600 };

async function countMail(db: Database, conversationId: string): Promise<void> {
  const refusal = `more than ${limit.quota} e-mails an hour came for this customer: call or text them`;
  try {
    await countAttempt({ db }, { limit, refusal, source: ['mail-reply', conversationId] });
  } catch (error) {
    throw error instanceof Problem ? new MailRefused(error.message) : error;
  }
}

async function textOf(raw: Buffer, sent: SentMail): Promise<string> {
  const fault = whyNotRead(raw);
  if (fault !== null) throw new MailRefused(`the e-mail ${fault}: send it without attachments`);
  const words = await parseInWorker(raw, 'words', { sent }).catch((error) => {
    if (error instanceof TooComplex) throw new MailRefused(`${error.message}: send it as plain text`);
    throw error;
  });
  if (words === null) throw new MailRefused('the e-mail can not be read');
  if ('refusal' in words) throw new MailRefused(words.refusal);
  return words.text;
}

async function accepted(send: () => Promise<Reply | null>, conversationId: string): Promise<MailOutcome> {
  try {
    const sent = await send();
    return sent === null ? { state: 'repeated', conversationId } : { ...sent, state: 'queued' };
  } catch (error) {
    if (error instanceof InvalidInput) {
      throw new MailRefused(error.errors.map(({ message }) => `what you wrote ${message}`).join('; '));
    }
    if (error instanceof OperatorError || (error instanceof Problem && error.errorCode === null))
      throw new MailRefused(error.message);
    throw error;
  }
}
