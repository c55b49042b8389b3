/** Reads a body into memory, within its limit and that of all bodies that are arriving (`unread-memory.ts`). */
import type { FastifyRequest, RequestPayload } from 'fastify';
import { Problem } from '#errors.ts';
import type { Sender, Unread, UnreadMemory } from './unread-memory.ts';

declare module 'fastify' {
  interface FastifyInstance {
    unreadMemory: UnreadMemory;
  }
  interface FastifyRequest {
    /** The size of the body as it came; 0: none was read. */
    bodyBytes: number;
  }
}

interface Limits {
  readonly atMostBytes: number;
  /** For the limit of all bodies. */
  readonly sender: Sender;
}

export type BodyDone = (error: Problem | null, body: Buffer) => void;

const firstBytes = 4 * 1024;
const none: Buffer = Buffer.alloc(0);

/** `done` gets the body, 413 000005 past its limit, 503 000007 past that of all, or 400 000001 when the client disconnects. */
export function readBody(
  request: FastifyRequest,
  payload: RequestPayload,
  { atMostBytes, sender }: Limits,
  done: BodyDone,
): void {
  const announced = Number(request.headers['content-length']);
  if (announced > atMostBytes) {
    done(tooLarge(atMostBytes), none);
    return;
  }
  const largest = Number.isNaN(announced) ? atMostBytes : announced;
  let body = none;
  let bytes = 0;
  let unread: Unread | null = null;
  let isRead = false;

  function stop(error: Problem | null): void {
    isRead = true;
    payload.off('data', take).off('end', end).off('error', fail);
    unread?.release();
    request.bodyBytes = bytes;
    done(error, error === null ? body.subarray(0, bytes) : none);
  }
  const end = () => stop(null);
  const fail = () => stop(incomplete);

  function take(chunk: Buffer): void {
    const before = bytes;
    bytes += chunk.length;
    if (bytes > atMostBytes) {
      stop(tooLarge(atMostBytes));
      return;
    }
    // Most bodies come in one piece.
    if (bytes === announced && before === 0) {
      body = chunk;
      return;
    }
    // Copied into one buffer: chunks of one byte each would take a hundred times the length of the body.
    if (bytes > body.length) {
      const size = Math.min(largest, Math.max(firstBytes, 2 * bytes));
      unread ??= request.server.unreadMemory.open(sender, () => stop(noMemory));
      unread.grow(size - body.length);
      if (isRead) return;
      const larger = Buffer.allocUnsafeSlow(size);
      body.copy(larger, 0, 0, before);
      body = larger;
    }
    chunk.copy(body, before);
  }

  payload.on('data', take).on('end', end).on('error', fail).resume();
}

function tooLarge(atMostBytes: number): Problem {
  return new Problem('000005', { message: `The body is larger than ${atMostBytes / 1024} KiB` });
}

const incomplete = new Problem('000001', { message: 'The connection ended before the body had come' });

/** The client may go on sending for long, so its connection ends. One object for all: there may be thousands a second. */
const noMemory = new Problem('000007', {
  message: 'Too many bodies are arriving at once, and this one had to go: send it again',
  headers: { 'retry-after': '1', connection: 'close' },
});
