/** Keeps one bound connection to the carrier: binds, and binds again whenever it is lost. */
import { type Pauses, pauseMs } from './backoff.ts';
import { type Connection, openConnection } from './connection.ts';
import { dial, type Endpoint } from './dial.ts';
import { bindBody, type Credentials, versionIn } from './messages.ts';
import { command, type Pdu } from './pdu.ts';
import { isTemporary, status, wordsOf } from './status.ts';

/** Whether to send and receive, or only one of them; with the command of the bind. */
const binds = {
  transceiver: [command.bindTransceiver, command.bindTransceiverAnswer],
  transmitter: [command.bindTransmitter, command.bindTransmitterAnswer],
  receiver: [command.bindReceiver, command.bindReceiverAnswer],
} as const;
export type BindKind = keyof typeof binds;

/** Leaves time for another gateway within the time-out of a hand-over. */
const connectWithinMs = 3_000;
const bindWithinMs = 5_000;
const unbindWithinMs = 1_000;
/** A connection that ends sooner counts as a failure: there is a pause before the next one. */
const steadyAfterMs = 10_000;

export interface SessionOptions {
  readonly endpoint: Endpoint;
  readonly credentials: Credentials;
  readonly enquireLinkMs: number;
  readonly pauses: Pauses;
  /** The kind of bind of the connection. */
  readonly bind: BindKind;
  readonly deliver: (pdu: Pdu) => Promise<number>;
  /**
   * Called when the session is bound, and when it no longer is or could not be bound, with the cause; not twice in a row for the
   * same cause.
   */
  readonly changed: (isBound: boolean, why: string) => void;
}

export interface Session {
  /** The bound connection; waits up to `withinMs` while one is being made. Else why there is none. */
  connection(withinMs: number, signal: AbortSignal): Promise<Connection | string>;
  /** The version of SMPP that the carrier named at the last bind, such as 0x34; null when it named none. */
  readonly version: number | null;
  /** Returns at once. */
  start(): void;
  /** Unbinds, and makes no further connection. */
  close(): Promise<void>;
}

/** The result of an attempt to bind. */
interface Failure {
  readonly why: string;
  readonly isRefused: boolean;
}

export function keepSession(options: SessionOptions): Session {
  const { endpoint, credentials, enquireLinkMs, pauses, deliver, changed } = options;
  const [bindCommand, bindAnswer] = binds[options.bind];
  const closing = new AbortController();
  const closed = new AbortController();
  let connection: Connection | null = null;
  let binding: Promise<unknown> | null = null;
  let trying: Connection | null = null;
  let version: number | null = null;
  let isSteady = false;
  let why = 'The connection to the carrier is not there yet.';
  let failures = 0;
  let timer: NodeJS.Timeout | undefined;

  function tell(isBound: boolean, now: string): void {
    if (isBound || now !== why) changed(isBound, now);
    why = now;
  }

  async function bind(): Promise<Failure | null> {
    let made: Connection;
    try {
      const socket = await dial(endpoint, connectWithinMs, closing.signal);
      made = openConnection(socket, {
        ...{ enquireLinkMs, deliver, signal: closed.signal },
        ended: (because) => lost(made, because),
      });
    } catch (error) {
      return { why: (error as Error).message, isRefused: false };
    }
    trying = made;
    if (closing.signal.aborted) made.drop('');
    const answer = await made.request(bindCommand, bindBody(credentials), bindWithinMs);
    trying = null;
    const isBound = answer?.command === bindAnswer && answer.status === status.ok;
    if (isBound && made.isOpen) {
      connection = made;
      version = versionIn(answer.body);
      timer = setTimeout(() => {
        isSteady = true;
        failures = 0;
      }, steadyAfterMs);
      tell(true, 'The connection to the carrier is there.');
      return null;
    }
    made.drop('');
    if (answer === null) return { why: 'The carrier did not answer the bind.', isRefused: false };
    if (answer.status === status.ok) return { why: 'The carrier ended the connection.', isRefused: false };
    return { why: wordsOf(answer.status), isRefused: !isTemporary(answer.status) };
  }

  function lost(ended: Connection, because: string): void {
    // Before the bind succeeds, its response gives the cause.
    if (connection !== ended) return;
    connection = null;
    clearTimeout(timer);
    if (closing.signal.aborted) return;
    tell(false, because);
    const wasSteady = isSteady;
    isSteady = false;
    if (wasSteady) again();
    else later({ why: because, isRefused: false });
  }

  function again(): void {
    if (closing.signal.aborted) return;
    binding = bind().then((failure) => {
      binding = null;
      if (failure !== null) later(failure);
    });
  }
  function later(failure: Failure): void {
    if (closing.signal.aborted) return;
    tell(false, failure.why);
    failures++;
    timer = setTimeout(again, pauseMs(pauses, failures, failure.isRefused));
  }

  return {
    start: again,
    get version() {
      return version;
    },
    async connection(withinMs, signal) {
      if (connection === null && binding !== null) await within(binding, withinMs, signal);
      return connection ?? why;
    },
    async close() {
      closing.abort();
      clearTimeout(timer);
      why = 'The connection to the carrier was closed.';
      trying?.drop('');
      await binding;
      await connection?.request(command.unbind, Buffer.alloc(0), unbindWithinMs);
      closed.abort();
    },
  };
}

async function within(work: Promise<unknown>, ms: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const stop = () => resolve();
  const timer = setTimeout(stop, ms);
  signal.addEventListener('abort', stop, { once: true });
  await Promise.race([work, promise]);
  clearTimeout(timer);
  signal.removeEventListener('abort', stop);
}
