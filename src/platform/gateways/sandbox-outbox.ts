/** The store of what the sandbox gateways "sent"; `sandbox/store.ts` keeps it in the database. */

export interface SandboxEntry {
  readonly reference: string;
  /** The id of the message that this is an attempt of; for an e-mail, its reference. */
  readonly messageId: string;
  readonly channel: 'sms' | 'email';
  readonly outcome: 'accepted' | 'refused';
  readonly to: string;
  readonly from: string;
  readonly subject: string | null;
  readonly body: string;
  readonly html: string | null;
  readonly calendar: string | null;
  /** The delivery report that follows at once; null for none. */
  readonly report: 'undelivered' | null;
}

export interface SandboxOutbox {
  /** Stores an entry, once for each reference and recipient. Returns the id of the stored one. */
  keep(entry: SandboxEntry): Promise<string>;
  /** The id of the entry that was accepted under this reference, or null. */
  accepted(reference: string): Promise<string | null>;
  /** True when an attempt of this message was refused before. */
  refusedBefore(messageId: string): Promise<boolean>;
}
