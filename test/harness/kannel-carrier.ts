/** A carrier for Kannel to send to; the test decides its receipts, refusals and customers' answers. */
import { type Submitted, startSmsc } from '../../packages/smpp/test/smsc.ts';

/** What the carrier does with the next SMS, or the next part of a long one. */
export interface Fate {
  /** An SMPP error: it refuses it. */
  readonly status?: number;
  /** It responds only when this resolves. */
  readonly after?: Promise<unknown>;
  /** The state in its delivery receipt, where Kannel wants one: DELIVRD when absent. */
  readonly receipt?: string;
  /** The receipt comes only when this resolves, over the connection that is open then. */
  readonly receiptAfter?: Promise<unknown>;
}

export interface Carrier {
  readonly port: number;
  /** The fates of the next SMS, in order; then each is accepted and delivered. */
  next(...fates: Fate[]): void;
  carriedTo(phone: string): Submitted[];
  /** A customer's SMS, in parts when there are several. */
  bring(from: string, to: string, parts: readonly string[], coding?: 0 | 8): Promise<void>;
}

export const wantsReceipt = ({ pdu }: Submitted) => (Number(pdu['registered_delivery']) & 3) === 1;

/** Closed when the test file ends. */
export async function startCarrier(): Promise<Carrier> {
  const fates: Fate[] = [];
  let series = 0;
  const smsc = await startSmsc({
    async answer(submitted, id) {
      const { status, after, receipt = 'DELIVRD', receiptAfter } = fates.shift() ?? {};
      await after;
      if (status !== undefined) return { status };
      if (wantsReceipt(submitted)) void report(submitted, id, receipt, receiptAfter);
      return { id };
    },
  });

  async function report({ from, to }: Submitted, id: string, state: string, after?: Promise<unknown>) {
    await after;
    // After the response, which is sent when the current turn of the event loop has ended.
    await new Promise(setImmediate);
    const times = 'submit date:2601010000 done date:2601010001';
    await smsc.deliver({
      ...{ source_addr: to, destination_addr: from, esm_class: 4 },
      short_message: `id:${id} sub:001 dlvrd:001 ${times} stat:${state} err:000 text:Your car`,
    });
  }

  return {
    port: smsc.port,
    next: (...more) => void fates.push(...more),
    carriedTo: (phone) => smsc.submitted.filter(({ to }) => to === phone.replace('+', '')),
    async bring(from, to, parts, coding = 0) {
      series++;
      for (const [n, part] of parts.entries()) {
        const message = coding === 8 ? Buffer.from(part, 'utf16le').swap16() : part;
        await smsc.deliver({
          ...{ source_addr: from, destination_addr: to, data_coding: coding },
          ...(parts.length > 1
            ? {
                esm_class: 0x40,
                short_message: { udh: Buffer.from([5, 0, 3, series, parts.length, n + 1]), message },
              }
            : { short_message: { message } }),
        });
      }
    },
  };
}
