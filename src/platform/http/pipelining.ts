/**
 * HTTP pipelining. Node hands over every request of a connection as soon as it has read it: thousands at once. Here a connection's
 * requests are handled one at a time, each in turn with those of other connections.
 */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Connections } from './connections.ts';
import { inEventLoopTurns } from './event-loop.ts';
import type { HttpLimits } from './limits.ts';
import { lingerAtClose } from './lingering-close.ts';
import { strangerAt, type Unread, type UnreadMemory } from './unread-memory.ts';

/** The waiting requests of the connection, in order; the one before them is handled. */
interface Pipeline {
  readonly requests: { readonly request: IncomingMessage; readonly response: ServerResponse }[];
  readonly unread: Unread;
  /** The bytes that had been read of the connection when its first request was put here. */
  readonly readBeforeBytes: number;
}

/** Beginning a request takes some tenths of a millisecond. */
const begunPerTurn = 8;
/** The most bytes that may wait on one connection: a body of which Node reads 64 KiB before it is asked for, and heads. */
const pipelineAtMostBytes = 128 * 1024;

/**
 * Wraps a server's listener. A connection is ended with more than `unansweredAtMost` requests that wait for responses, or 128 KiB of
 * them; so are the connections whose requests have waited longest, of the address with most, when what waits is past the memory for
 * strangers.
 */
export function oneAtATime(
  handle: RequestListener,
  { unansweredAtMost, drainMs }: Pick<HttpLimits, 'unansweredAtMost' | 'drainMs'>,
  connections: Connections,
  unreadMemory: UnreadMemory,
): RequestListener {
  const pipelines = new Map<Socket, Pipeline>();
  const inTurn = inEventLoopTurns(begunPerTurn);

  function wait(socket: Socket, request: IncomingMessage, response: ServerResponse): void {
    let pipeline = pipelines.get(socket);
    if (pipeline === undefined) {
      const unread = unreadMemory.open(strangerAt(socket.remoteAddress), () => connections.end(socket));
      pipeline = { requests: [], unread, readBeforeBytes: socket.bytesRead };
      pipelines.set(socket, pipeline);
      unread.grow(pipelineAtMostBytes);
    }
    pipeline.requests.push({ request, response });
    if (socket.bytesRead - pipeline.readBeforeBytes > pipelineAtMostBytes) connections.end(socket);
    // A paused connection does not notice that its client has gone, so one without a body is not paused.
    else if (hasBody(request)) pauseReading(socket);
  }

  function leave(socket: Socket): void {
    pipelines.get(socket)?.unread.release();
    pipelines.delete(socket);
  }

  function begin(socket: Socket): void {
    if (isOver(socket)) leave(socket);
    const pipeline = pipelines.get(socket);
    const next = pipeline?.requests.shift();
    if (pipeline === undefined || next === undefined) return;
    if (pipeline.requests.length === 0) {
      leave(socket);
      resumeReading(socket);
    }
    handle(next.request, next.response);
  }

  return (request, response) => {
    const { socket } = request;
    // Nothing more is answered after the last response, while the rest of what it answered is read.
    if (isOver(socket)) return;
    if (hasBody(request)) lingerAtClose(request, response, drainMs);
    const unanswered = connections.requestCame(socket);
    // The rest of what was read before the connection was ended.
    if (unanswered === 0) return;
    response.once('close', () => {
      connections.requestAnswered(socket);
      if (!pipelines.has(socket)) return;
      if (isOver(socket)) leave(socket);
      else inTurn(() => begin(socket));
    });
    if (unanswered === 1) handle(request, response);
    else if (unanswered <= unansweredAtMost) wait(socket, request, response);
    else connections.end(socket);
  };
}

/** Also after the last response of a connection: nothing more can be answered there. */
const isOver = (socket: Socket) => socket.destroyed || socket.writableEnded;

const hasBody = ({ headers }: IncomingMessage) =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length']) > 0;

/** Node's own flag for a connection that it reads no further, since responses pile up: without it, it goes on by itself. */
type Paused = Socket & { _paused?: boolean; parser?: { resume(): void } | null };

function pauseReading(socket: Paused): void {
  socket._paused = true;
  socket.pause();
}

function resumeReading(socket: Paused): void {
  if (!socket._paused) return;
  socket._paused = false;
  socket.parser?.resume();
  socket.resume();
}
