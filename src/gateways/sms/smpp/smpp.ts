/** A carrier's SMS centre over SMPP 3.4: one transceiver connection for each process, kept as long as it runs. */
import { type Clock, systemClock } from '#clock.ts';
import type { ReceiptIdForm } from '#config/sms/smpp.ts';
import type { SmsGateway, SmsListener, SmsOutcome } from '../gateway.ts';
import { recipient, sender } from './address.ts';
import { type Pauses, usualPauses } from './backoff.ts';
import { type Deliveries, takeDeliveries } from './deliver.ts';
import type { Endpoint } from './dial.ts';
import type { Credentials } from './messages.ts';
import { encodeParts, partsAtMost } from './parts.ts';
import { comparable } from './receipt.ts';
import { keepSession, type Session } from './session.ts';
import { notHandedOver, status } from './status.ts';
import { submit } from './submit.ts';
import { createWindow } from './window.ts';

export interface SmppOptions {
  readonly endpoint: Endpoint;
  readonly credentials: Credentials;
  /** The sender of messages that have none of their own; null leaves it to the carrier. */
  readonly source: string | null;
  /** How many parts may be without their answer at once. */
  readonly window: number;
  readonly enquireLinkMs: number;
  readonly receiptIds: ReceiptIdForm;
  readonly pauses?: Pauses;
  readonly clock?: Clock;
}

/** Leaves time for another gateway within the time-out of a hand-over. */
const waitForLinkMs = 3_000;
/** For what is under way when it closes; the rest of the five seconds is for the goodbye. */
const finishWithinMs = 3_500;

const tooLong: SmsOutcome = {
  state: 'refused',
  permanent: true,
  reason: 'refused',
  detail: `The text needs more than ${partsAtMost} parts.`,
};

/** A look-up is always `unknown`: query_sm wants the carrier's id, which an attempt in doubt never got. */
export function smppSms(options: SmppOptions): SmsGateway {
  const { endpoint, credentials, source, enquireLinkMs, receiptIds } = options;
  const name = 'smpp';
  const window = createWindow(options.window);
  const clock = options.clock ?? systemClock();
  let session: Session | null = null;
  let deliveries: Deliveries | null = null;
  let isClosing = false;
  let series = Math.floor(Math.random() * 256);

  function start(listener: SmsListener): void {
    if (session !== null) return;
    const heard = takeDeliveries({ name, listener, clock, receiptIds });
    deliveries = heard;
    session = keepSession({
      endpoint,
      credentials,
      enquireLinkMs,
      pauses: options.pauses ?? usualPauses,
      deliver: (body) => (isClosing ? Promise.resolve(status.tryAgain) : heard.take(body)),
      changed: (isConnected, detail) => {
        if (!isConnected) heard.lost();
        listener.connection?.(name, isConnected, detail);
      },
    });
    session.start();
  }

  return {
    name,
    start,
    lookUp: async () => ({ state: 'unknown', permanent: true }),

    async send(sms, signal): Promise<SmsOutcome> {
      if (session === null || isClosing) return notHandedOver('The connection to the carrier is closed.');
      const link = await session.link(waitForLinkMs, signal);
      if (typeof link === 'string') return notHandedOver(link);
      series = (series + 1) % 256;
      const { octets, ...form } = encodeParts(sms.body, series);
      if (octets.length > partsAtMost) return tooLong;
      const [from, to] = [sender(sms.from ?? source), recipient(sms.to)];
      const parts = octets.map((part) => ({ from, to, ...form, octets: part }));
      const outcome = await submit({ link, window, signal }, parts);
      if ('state' in outcome) return outcome;
      // Without an id no report can be told to be this message's.
      const segmentIds = outcome.filter((id) => id !== '').map(comparable);
      const gatewayId = outcome.find((id) => id !== '') ?? sms.reference;
      return { state: 'accepted', gatewayId, ...(segmentIds.length > 0 ? { segmentIds } : {}) };
    },

    async close() {
      isClosing = true;
      const { promise: late, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, finishWithinMs);
      await Promise.race([Promise.all([window.idle(), deliveries?.close()]), late]);
      clearTimeout(timer);
      await session?.close();
    },
  };
}
