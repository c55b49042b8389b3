/** One connection to the carrier: sends requests, matches their responses, and checks that the other side is alive. */
import type { Socket } from 'node:net';
import { command, encodePdu, isResponse, MalformedPdu, type Pdu, pduReader } from './pdu.ts';
import { status } from './status.ts';

const nothing = Buffer.alloc(0);
/** A carrier that leaves more of our responses unread is disconnected. */
const unsentAtMostBytes = 1024 * 1024;
const lastSequence = 0x7fffffff;
/** Leaves time for the last response to go out. */
const lingerMs = 1_000;

export interface ConnectionOptions {
  /** After this silence an enquire_link checks the other side; it has as long again to respond, ten seconds at most. */
  readonly enquireLinkMs: number;
  /** Handles the carrier's deliver_sm or data_sm; resolves to the status of the response. Never rejects. */
  readonly deliver: (pdu: Pdu) => Promise<number>;
  /** Called once, with the cause, when the connection takes no more requests. */
  readonly ended: (why: string) => void;
  /** Drops the connection, also one that the carrier has unbound. */
  readonly signal: AbortSignal;
}

export interface Connection {
  /**
   * Resolves to the response, or to null when the connection ends first or no response comes within `withinMs`. A later response
   * is ignored.
   */
  request(kind: number, body: Buffer, withinMs: number): Promise<Pdu | null>;
  /** False when it takes no more requests. After the carrier's unbind, responses to those before it still count. */
  readonly isOpen: boolean;
  /** A number of its own, unique in this process. */
  readonly id: number;
  /** Ends the connection at once. */
  drop(why: string): void;
}

let opened = 0;

/** `socket` is connected. No received octets make this throw. */
export function openConnection(
  socket: Socket,
  { enquireLinkMs, deliver, ended, signal }: ConnectionOptions,
): Connection {
  const pending = new Map<number, { readonly kind: number; readonly settle: (answer: Pdu | null) => void }>();
  const read = pduReader();
  const id = ++opened;
  let isOpen = true;
  let sequence = 0;
  /** The carrier's requests that have no response yet. */
  let unanswered = 0;
  let leaving: NodeJS.Timeout | undefined;

  function end(why: string): void {
    if (!isOpen) return;
    isOpen = false;
    clearTimeout(timer);
    ended(why);
  }
  function drop(why: string): void {
    socket.destroy();
    clearTimeout(leaving);
    signal.removeEventListener('abort', dropSilently);
    for (const { settle } of pending.values()) settle(null);
    end(why);
  }
  const dropSilently = () => drop('');
  /** Ends a connection that takes no more requests once all those before have their responses, which are waited for as usual. */
  function leave(): void {
    if (isOpen || pending.size > 0 || unanswered > 0 || !socket.writable) return;
    socket.end();
    leaving = setTimeout(dropSilently, lingerMs);
  }

  function write(pdu: Pdu): void {
    if (!socket.writable) return;
    socket.write(encodePdu(pdu));
    if (socket.writableLength > unsentAtMostBytes) drop('The carrier reads nothing.');
  }
  const answer = (to: Pdu, kind: number, code: number, body = nothing) =>
    write({ command: kind, status: code, sequence: to.sequence, body });

  function request(kind: number, body: Buffer, withinMs: number): Promise<Pdu | null> {
    if (!isOpen) return Promise.resolve(null);
    sequence = sequence === lastSequence ? 1 : sequence + 1;
    const own = sequence;
    return new Promise((resolve) => {
      function settle(pdu: Pdu | null): void {
        clearTimeout(late);
        pending.delete(own);
        resolve(pdu);
        leave();
      }
      const late = setTimeout(settle, withinMs, null);
      pending.set(own, { kind, settle });
      write({ command: kind, status: status.ok, sequence: own, body });
    });
  }

  function take(pdu: Pdu): void {
    if (isResponse(pdu)) {
      const asked = pending.get(pdu.sequence);
      const fits = pdu.command === command.nack || pdu.command - command.nack === asked?.kind;
      if (fits) asked?.settle(pdu);
      return;
    }
    switch (pdu.command) {
      case command.deliver:
      case command.data:
        unanswered++;
        void deliver(pdu).then((code) => {
          // The response has a message id, which is always empty.
          answer(pdu, command.nack + pdu.command, code, Buffer.alloc(1));
          unanswered--;
          leave();
        });
        return;
      case command.enquireLink:
        answer(pdu, command.enquireLinkAnswer, status.ok);
        return;
      case command.unbind:
        answer(pdu, command.unbindAnswer, status.ok);
        end('The carrier ended the connection.');
        leave();
        return;
      case command.outbind:
      case command.alertNotification:
        return;
      default:
        answer(pdu, command.nack, status.invalidCommand);
    }
  }

  async function enquire(): Promise<void> {
    const lives = await request(command.enquireLink, nothing, Math.min(enquireLinkMs, 10_000));
    if (lives === null) drop('The carrier no longer answers.');
    else if (isOpen) timer.refresh();
  }
  const timer = setTimeout(() => void enquire(), enquireLinkMs);

  socket.on('data', (chunk: Buffer) => {
    if (isOpen) timer.refresh();
    try {
      for (const pdu of read(chunk)) if (!socket.destroyed) take(pdu);
    } catch (error) {
      if (!(error instanceof MalformedPdu)) throw error;
      drop(`The carrier sent what is not SMPP: ${error.message}.`);
    }
  });
  signal.addEventListener('abort', dropSilently, { once: true });
  socket.on('close', () => drop('The connection to the carrier ended.'));
  socket.on('error', (error) => {
    const { code = 'no code' } = error as NodeJS.ErrnoException;
    drop(`The connection to the carrier broke (${code}).`);
  });

  return {
    id,
    request,
    get isOpen() {
      return isOpen;
    },
    drop,
  };
}
