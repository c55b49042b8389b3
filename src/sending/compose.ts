/** What a claimed message is, and how an e-mail is made of it at the hand-over. */
import type { Context } from '#context.ts';
import type { OutboundEmail } from '#gateways/email/gateway.ts';
import type { Audience, Channel, KindName } from './kinds.ts';

/** A message as it is stored, for whoever composes it. */
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
}

/**
 * Makes the e-mail of one kind. Its `reference` is the message's id, the same at each attempt. Null: what it tells of is not kept any
 * more, and it ends `expired`. What throws is tried again.
 */
export type EmailComposer = (context: Context, message: StoredMessage) => Promise<OutboundEmail | null>;

/** By kind; given by `work.ts`, since those who compose stand above the sending in the tree. */
export type EmailComposers = Readonly<Partial<Record<KindName, EmailComposer>>>;
