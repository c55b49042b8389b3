/** A carrier's SMS centre on a loopback port: the server side of a library, so not our own reading of SMPP. */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import smpp, { type PDU, type Session, type SmppServer } from 'smpp';
import { certificate, privateKey } from '../../../test/fixtures/certificate.ts';
import { atEnd } from '../../../test/harness/clean-up.ts';

/** A message as the centre has understood it. */
export interface Submitted {
  readonly pdu: PDU;
  readonly from: string;
  readonly to: string;
  readonly text: string;
  /** Reference, total and number of a part, from its header. */
  readonly part: readonly number[] | null;
  readonly session: Session;
}

/** `afterUnbind`: the centre unbinds before it answers, as one does that is about to restart. */
type Answer = { readonly status: number } | { readonly id: string; readonly afterUnbind?: boolean } | 'none';

export interface Smsc {
  readonly port: number;
  readonly submitted: Submitted[];
  /** Fields of every bind, refused ones too. */
  readonly binds: PDU[];
  readonly sessions: () => readonly Session[];
  /** The most submissions that waited for a response at once. */
  mostOutstanding(): number;
  /** Delivers a message or receipt; resolves to the status of the response, which is -1 when the connection ends first. */
  deliver(
    fields: Readonly<Record<string, unknown>>,
    session?: Session,
    command?: 'deliver_sm' | 'data_sm',
  ): Promise<number>;
  /** A delivery receipt in its usual text form. */
  receipt(id: string, stat: string, err?: string): Promise<number>;
  /** Breaks every connection and takes no new one. */
  kill(): Promise<void>;
  /** On the same port as before. */
  start(): Promise<void>;
  /** The whole texts sent to a number, put together from their parts. */
  textsTo(to: string): string[];
}

export interface SmscOptions {
  readonly tls?: boolean;
  /** The status of a bind's response. */
  readonly bind?: () => number;
  /** Decides about a submission; without it each is accepted with an id of its own. */
  readonly answer?: (submitted: Submitted, id: string) => Answer | Promise<Answer>;
  readonly answersEnquireLink?: () => boolean;
  /** The version of SMPP that its responses to binds name, such as 0x34; absent: none. */
  readonly version?: number;
}

interface ShortMessage {
  readonly udh?: readonly Buffer[];
  readonly message: string | Buffer;
}

function understand(pdu: PDU, session: Session): Submitted {
  const { udh, message } = pdu['short_message'] as ShortMessage;
  const header = udh?.find(([kind]) => kind === 0);
  return {
    pdu,
    session,
    from: String(pdu['source_addr']),
    to: String(pdu['destination_addr']),
    text: String(message),
    part: header === undefined ? null : [...header.subarray(2)],
  };
}

export async function startSmsc(options: SmscOptions = {}): Promise<Smsc> {
  const submitted: Submitted[] = [];
  const binds: PDU[] = [];
  let server: SmppServer | undefined;
  let [port, ids, outstanding, most] = [0, 0, 0, 0];

  function serve(session: Session): void {
    session.on('error', () => undefined);
    for (const kind of ['bind_transceiver', 'bind_transmitter', 'bind_receiver']) {
      session.on(kind, (pdu) => {
        binds.push(pdu);
        const named = options.version === undefined ? {} : { sc_interface_version: options.version };
        session.send(pdu.response({ command_status: options.bind?.() ?? 0, system_id: 'centre', ...named }));
      });
    }
    session.on('enquire_link', (pdu) => {
      if (options.answersEnquireLink?.() ?? true) session.send(pdu.response());
    });
    session.on('unbind', (pdu) => void session.send(pdu.response()));
    session.on('submit_sm', (pdu) => void take(pdu, session));
  }

  async function take(pdu: PDU, session: Session): Promise<void> {
    const message = understand(pdu, session);
    submitted.push(message);
    most = Math.max(most, ++outstanding);
    const id = String(++ids);
    const answer = (await options.answer?.(message, id)) ?? { id };
    outstanding--;
    if (answer === 'none') return;
    if ('id' in answer && answer.afterUnbind) session.send(new smpp.PDU('unbind'));
    session.send(
      pdu.response('status' in answer ? { command_status: answer.status } : { message_id: answer.id }),
    );
  }

  async function start(): Promise<void> {
    server = smpp.createServer(options.tls ? { key: privateKey, cert: certificate } : {}, serve);
    server.on('error', () => undefined).on('tlsClientError', () => undefined);
    await once(server.listen(port, '127.0.0.1'), 'listening');
    port = (server.address() as AddressInfo).port;
  }
  async function kill(): Promise<void> {
    if (server === undefined) return;
    const closed = once(server, 'close');
    server.close();
    for (const session of [...server.sessions]) session.destroy();
    server = undefined;
    outstanding = 0;
    await closed;
  }
  const sessions = () => server?.sessions ?? [];

  function deliver(
    fields: Readonly<Record<string, unknown>>,
    to = sessions().at(-1),
    command: 'deliver_sm' | 'data_sm' = 'deliver_sm',
  ): Promise<number> {
    return new Promise((resolve) => {
      if (to === undefined) return resolve(-1);
      const closed = () => resolve(-1);
      to.socket.setMaxListeners(0).once('close', closed);
      const pdu = new smpp.PDU(command, {
        source_addr_ton: 1,
        source_addr_npi: 1,
        dest_addr_ton: 1,
        dest_addr_npi: 1,
        ...fields,
      });
      to.send(pdu, (answer) => {
        to.socket.off('close', closed);
        resolve(answer.command_status);
      });
    });
  }

  await start();
  atEnd(kill);
  return {
    get port() {
      return port;
    },
    submitted,
    binds,
    sessions,
    mostOutstanding: () => most,
    deliver,
    receipt: (id, stat, err = '000') =>
      deliver({
        source_addr: '61491570006',
        destination_addr: '61400000000',
        esm_class: 4,
        short_message: `id:${id} sub:001 dlvrd:001 submit date:2601010000 done date:2601010001 stat:${stat} err:${err} text:id:9 stat:EXPIRED`,
      }),
    kill,
    start,
    textsTo(to) {
      const own = submitted.filter((message) => message.to === to);
      const bySeries = Map.groupBy(own, ({ part, pdu }) => part?.[0] ?? pdu.sequence_number + 1_000);
      return [...bySeries.values()].map((parts) =>
        parts
          .toSorted((one, other) => (one.part?.[2] ?? 0) - (other.part?.[2] ?? 0))
          .map(({ text }) => text)
          .join(''),
      );
    },
  };
}
