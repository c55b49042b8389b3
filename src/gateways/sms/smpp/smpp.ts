/**
 * A carrier's SMS centre over SMPP 3.4: one transceiver connection for each process, or a transmitter and a receiver, kept as
 * long as it runs.
 */
import { type Clock, systemClock } from '#clock.ts';
import type { ReceiptIdForm } from '#config/sms/smpp.ts';
import type { Acceptance, OutboundSms, SmsGateway, SmsListener, SmsOutcome } from '../gateway.ts';
import { type Pauses, usualPauses } from './backoff.ts';
import { type Deliveries, takeDeliveries } from './deliver.ts';
import type { Endpoint } from './dial.ts';
import type { Credentials } from './messages.ts';
import { partsAtMost } from './parts.ts';
import { comparable } from './receipt.ts';
import { type BindKind, keepSession, type Session } from './session.ts';
import { notHandedOver, status } from './status.ts';
import { type SubmissionForm, submissionsOf, usualSubmission } from './submissions.ts';
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
  /** False, or absent: one transceiver connection; else a transmitter and a receiver. */
  readonly isSeparate?: boolean;
  /** How messages are written; as most carriers have it unless it is given. */
  readonly form?: SubmissionForm;
  readonly pauses?: Pauses;
  readonly clock?: Clock;
}

/** Leaves time for another gateway within the time-out of a hand-over. */
const waitForConnectionMs = 3_000;
/** For what is under way when it closes; the rest of the five seconds is for the goodbye. */
const finishWithinMs = 3_500;

interface Started {
  readonly listener: SmsListener;
  readonly heard: Deliveries;
  /** Sends. */
  readonly session: Session;
  /** What else is connected: a receiver. */
  readonly others: readonly Session[];
}

const tooLong: SmsOutcome = {
  state: 'refused',
  permanent: true,
  reason: 'refused',
  detail: `The text needs more than ${partsAtMost} parts.`,
};

/** A look-up is always `unknown`: query_sm wants the carrier's id, which an attempt with an unknown outcome never got. */
export function smppSms(options: SmppOptions): SmsGateway {
  const { endpoint, credentials, source, enquireLinkMs, receiptIds, isSeparate = false } = options;
  const form = options.form ?? usualSubmission;
  const name = 'smpp';
  const window = createWindow(options.window);
  const clock = options.clock ?? systemClock();
  const underWay = new Set<Promise<unknown>>();
  let started: Started | null = null;
  let isClosing = false;
  let series = Math.floor(Math.random() * 256);

  function start(listener: SmsListener): void {
    if (started !== null) return;
    const heard = takeDeliveries({ name, listener, clock, receiptIds, alphabet: form.alphabet });
    const keep = (bind: BindKind) =>
      keepSession({
        endpoint,
        credentials,
        enquireLinkMs,
        bind,
        pauses: options.pauses ?? usualPauses,
        deliver: (pdu) => (isClosing ? Promise.resolve(status.tryAgain) : heard.take(pdu)),
        changed: (isConnected, detail) => {
          if (!isConnected && bind !== 'transmitter') heard.lost();
          listener.connection?.(name, isConnected, detail, bind === 'receiver' ? 'receiving' : 'sending');
        },
      });
    const session = keep(isSeparate ? 'transmitter' : 'transceiver');
    started = { listener, heard, session, others: isSeparate ? [keep('receiver')] : [] };
    for (const each of [session, ...started.others]) each.start();
  }

  /** Until it ends, `close` waits for it. */
  async function follow<T>(work: Promise<T>): Promise<T> {
    underWay.add(work);
    try {
      return await work;
    } finally {
      underWay.delete(work);
    }
  }

  async function send({ listener, session }: Started, sms: OutboundSms, signal: AbortSignal) {
    const connection = await session.connection(waitForConnectionMs, signal);
    if (typeof connection === 'string') return notHandedOver(connection);
    series = (series + 1) % 256;
    const parts = submissionsOf(sms, { form, source, series });
    if (parts.length > partsAtMost) return tooLong;
    const hand = { connection, window, signal, isOwnSender: sms.from !== null };
    const submitted = await submit(hand, parts);
    if (submitted.state === 'accepted') return acceptance(submitted.ids, sms);
    if (submitted.state === 'refused') return submitted;
    const { late, ...unknown } = submitted;
    void follow(
      late.then((ids) => ids && listener.accepted(name, sms.reference, acceptance(ids, sms))),
    ).catch(() => undefined);
    return unknown;
  }

  return {
    name,
    start,
    lookUp: async () => ({ state: 'unknown', permanent: true }),

    async send(sms, signal) {
      if (started === null || isClosing) return notHandedOver('The connection to the carrier is closed.');
      return follow(send(started, sms, signal));
    },

    async close() {
      isClosing = true;
      const { promise: late, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, finishWithinMs);
      await Promise.race([Promise.all([ended(underWay), started?.heard.close()]), late]);
      clearTimeout(timer);
      await Promise.all([started?.session, ...(started?.others ?? [])].map((session) => session?.close()));
    },
  };
}

async function ended(works: ReadonlySet<Promise<unknown>>): Promise<void> {
  while (works.size > 0) await Promise.allSettled(works);
}

function acceptance(ids: readonly string[], { reference }: OutboundSms): Acceptance {
  // Without an id no report can be told to be this message's.
  const given = ids.filter((id) => id !== '');
  const [gatewayId = reference] = given;
  return {
    state: 'accepted',
    gatewayId,
    ...(given.length > 0 ? { segmentIds: given.map(comparable) } : {}),
  };
}
