/** Where the sandbox gateways keep what they "sent"; `sandbox/store.ts` keeps it in the database. */

export interface SandboxEntry {
  readonly reference: string;
  /** The message that this is an attempt of. For an e-mail, its reference. */
  readonly messageId: string;
  readonly channel: 'sms' | 'email';
  readonly outcome: 'accepted' | 'refused';
  readonly to: string;
  readonly from: string;
  readonly subject: string | null;
  readonly body: string;
  readonly html: string | null;
  readonly calendar: string | null;
  /** A delivery report that is to follow at once; null for none. */
  readonly report: 'undelivered' | null;
}

export interface SandboxOutbox {
  /** Keeps an entry; the same reference and recipient a second time is kept once. Returns the id of the one kept. */
  keep(entry: SandboxEntry): Promise<string>;
  /** The id of the entry that was accepted under this reference, or null. */
  accepted(reference: string): Promise<string | null>;
  /** True when an attempt of this message was refused before. */
  refusedBefore(messageId: string): Promise<boolean>;
}
