/** A claimed message, and how its e-mail is composed at the hand-over. */
import type { Context } from '#platform/context.ts';
import type { OutboundEmail } from '#platform/gateways/email/gateway.ts';
import type { Audience, Channel, KindName } from './kinds.ts';

/** A stored message, for the functions that compose it. */
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
  /** The workshop's template that the body was rendered from; null: the product's own text. */
  readonly templateId: string | null;
}

/**
 * Composes the e-mail of one kind. `reference` is the message's id, the same for every attempt. Null: the event or digest is no
 * longer stored, and the message ends as `expired`. When it throws, the message is retried.
 */
export type EmailComposer = (context: Context, message: StoredMessage) => Promise<OutboundEmail | null>;

/** By kind. `work.ts` passes them in, because the modules that compose are above `sending` in the import order. */
export type EmailComposers = Readonly<Partial<Record<KindName, EmailComposer>>>;
