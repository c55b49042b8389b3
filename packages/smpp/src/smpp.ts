/** A carrier's SMS centre over SMPP 3.4: each process keeps one transceiver connection, or a transmitter and a receiver. */
import { usualPauses } from './backoff.ts';
import type { Connection } from './connection.ts';
import { type Deliveries, takeDeliveries } from './deliver.ts';
import type { Acceptance, Gateway, Host, Listener, Refusal, Sms } from './host.ts';
import type { SmppOptions } from './options.ts';
import { partsAtMost } from './parts.ts';
import { comparable } from './receipt.ts';
import { type BindKind, keepSession, type Session } from './session.ts';
import { notHandedOver, status, type VendorCodes } from './status.ts';
import { submissionsOf, usualSubmission } from './submissions.ts';
import { submit } from './submit.ts';
import { createWindow, type Window } from './window.ts';

/** Leaves time for another gateway within the time-out of a hand-over. */
const waitForConnectionMs = 3_000;
/** How long `close` waits for hand-overs in flight; the rest of the five seconds is for the unbind. */
const finishWithinMs = 3_500;

interface Started {
  readonly listener: Listener;
  readonly deliveries: Deliveries;
  /** The session that sends. */
  readonly session: Session;
  /** The other session: a receiver. */
  readonly others: readonly Session[];
}

const tooLong: Refusal = {
  state: 'refused',
  permanent: true,
  reason: 'refused',
  detail: `The text needs more than ${partsAtMost} parts.`,
};

/** A gateway to one carrier. It connects once `start` is called. */
export function smppSms(options: SmppOptions, host: Host): Gateway {
  const { endpoint, credentials, source, enquireLinkMs, receiptIds, isSeparate = false } = options;
  const vendorCodes: VendorCodes = options.vendorCodes ?? new Map();
  const form = options.form ?? usualSubmission;
  const name = 'smpp';
  const windows = new WeakMap<Connection, Window>();
  const underWay = new Set<Promise<unknown>>();
  let started: Started | null = null;
  let isClosing = false;
  let series = Math.floor(Math.random() * 256);

  /** The carrier counts what is outstanding for each connection. */
  function windowOf(connection: Connection): Window {
    const window = windows.get(connection) ?? createWindow(options.window);
    windows.set(connection, window);
    return window;
  }

  function start(listener: Listener): void {
    if (started !== null) return;
    const deliveries = takeDeliveries({ name, listener, host, receiptIds, alphabet: form.alphabet });
    const keep = (bind: BindKind) =>
      keepSession({
        endpoint,
        credentials,
        enquireLinkMs,
        bind,
        pauses: options.pauses ?? usualPauses,
        deliver: (pdu) => (isClosing ? Promise.resolve(status.tryAgain) : deliveries.take(pdu)),
        changed: (isConnected, detail) => {
          if (!isConnected && bind !== 'transmitter') deliveries.lost();
          listener.connection?.(name, isConnected, detail, bind === 'receiver' ? 'receiving' : 'sending');
        },
      });
    const session = keep(isSeparate ? 'transmitter' : 'transceiver');
    started = { listener, deliveries, session, others: isSeparate ? [keep('receiver')] : [] };
    for (const each of [session, ...started.others]) each.start();
  }

  /** `close` waits until it ends. */
  async function follow<T>(work: Promise<T>): Promise<T> {
    underWay.add(work);
    try {
      return await work;
    } finally {
      underWay.delete(work);
    }
  }

  async function send({ listener, session }: Started, sms: Sms, signal: AbortSignal) {
    const connection = await session.connection(waitForConnectionMs, signal);
    if (typeof connection === 'string') return notHandedOver(connection);
    series = (series + 1) % 256;
    const parts = submissionsOf(sms, { form, source, series, version: session.version, host });
    if (parts.length > partsAtMost) return tooLong;
    const hand = {
      connection,
      window: windowOf(connection),
      signal,
      isOwnSender: sms.from !== null,
      vendorCodes,
    };
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
      await Promise.race([Promise.all([ended(underWay), started?.deliveries.close()]), late]);
      clearTimeout(timer);
      await Promise.all([started?.session, ...(started?.others ?? [])].map((session) => session?.close()));
    },
  };
}

async function ended(works: ReadonlySet<Promise<unknown>>): Promise<void> {
  while (works.size > 0) await Promise.allSettled(works);
}

function acceptance(ids: readonly string[], { reference }: Sms): Acceptance {
  // Without an id no report can be matched with this message.
  const given = ids.filter((id) => id !== '');
  const [gatewayId = reference] = given;
  return {
    state: 'accepted',
    gatewayId,
    ...(given.length > 0 ? { segmentIds: given.map(comparable) } : {}),
  };
}
