/** A claimed message, and how its e-mail is made at the hand-over. */
import type { Context } from '#platform/context.ts';
import type { OutboundEmail } from '#platform/gateways/email/gateway.ts';
import type { Audience, Channel, KindName } from './kinds.ts';

/** A message as it is stored, for the functions that compose it. */
export interface StoredMessage {
  readonly id: string;
  readonly kind: KindName;
  readonly channel: Channel;
  readonly audience: Audience;
  readonly workshopId: string;
  readonly causeId: string | null;
  /** E.164, or an e-mail address. */
  readonly recipient: string;
  readonly subject: string | null;
  readonly body: string;
  /** The workshop's template that the body is from; null: a text of ours. */
  readonly templateId: string | null;
}

/**
 * Makes the e-mail of one kind. Its `reference` is the message's id, the same for every attempt. Null: the event or digest is no
 * longer stored, and the message ends `expired`. After an error it is retried.
 */
export type EmailComposer = (context: Context, message: StoredMessage) => Promise<OutboundEmail | null>;

/** By kind. `work.ts` gives them, because the modules that compose stand above the sending in the tree. */
export type EmailComposers = Readonly<Partial<Record<KindName, EmailComposer>>>;
