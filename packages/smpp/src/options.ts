/** The settings of a carrier, from the embedding program. */
import type { Pauses } from './backoff.ts';
import type { Endpoint } from './dial.ts';
import type { Credentials } from './messages.ts';
import type { ReceiptIdForm } from './receipt.ts';
import type { VendorCodes } from './status.ts';
import type { SubmissionForm } from './submissions.ts';

export interface SmppOptions {
  readonly endpoint: Endpoint;
  readonly credentials: Credentials;
  /** The sender of messages that have no sender; null leaves it to the carrier. */
  readonly source: string | null;
  /** How many requests may wait for their response at once, on each connection. */
  readonly window: number;
  readonly enquireLinkMs: number;
  readonly receiptIds: ReceiptIdForm;
  /** The meanings of the carrier's own statuses; absent: none is known. */
  readonly vendorCodes?: VendorCodes;
  /** False, or absent: one transceiver connection; else a transmitter and a receiver. */
  readonly isSeparate?: boolean;
  /** How messages are encoded; the defaults fit most carriers. */
  readonly form?: SubmissionForm;
  readonly pauses?: Pauses;
}
