/** The event streams of this process: their limits, and messages to all of them. */
import type { ServerResponse } from 'node:http';
import type { SessionState } from '#product/people/sessions/state/store.ts';
import { createStream, frames, type Stream } from './stream.ts';

const commentEveryMs = 8_000;

export interface StreamLimits {
  readonly streamsAtMost: number;
  readonly streamsOfSessionAtMost: number;
}

export interface Streams {
  /** The process, or the session, has no room for another stream. */
  isFull(): boolean;
  isFullFor(sessionId: string): boolean;
  /** Opens a stream on a response whose head was sent. */
  open(response: ServerResponse, session: SessionState): void;
  all(): readonly Stream[];
  /** Ends all streams when the process stops; no further one may be opened. */
  endAll(): void;
}

export function createStreams({ streamsAtMost, streamsOfSessionAtMost }: StreamLimits): Streams {
  const streams = new Set<Stream>();
  /** The number of streams of each session that has any. */
  const ofSession = new Map<string, number>();
  let comments: NodeJS.Timeout | null = null;
  let stopped = false;

  function remove(stream: Stream): void {
    if (!streams.delete(stream)) return;
    const left = (ofSession.get(stream.sessionId) ?? 1) - 1;
    if (left === 0) ofSession.delete(stream.sessionId);
    else ofSession.set(stream.sessionId, left);
    if (streams.size > 0 || comments === null) return;
    clearInterval(comments);
    comments = null;
  }

  function comment(): void {
    for (const stream of streams) stream.send(frames.comment);
  }

  return {
    isFull: () => stopped || streams.size >= streamsAtMost,
    isFullFor: (sessionId) => (ofSession.get(sessionId) ?? 0) >= streamsOfSessionAtMost,
    open(response, session) {
      const stream = createStream(response, session, () => remove(stream));
      streams.add(stream);
      ofSession.set(session.sessionId, (ofSession.get(session.sessionId) ?? 0) + 1);
      comments ??= setInterval(comment, commentEveryMs).unref();
      stream.send(frames.beginning);
    },
    all: () => [...streams],
    endAll() {
      stopped = true;
      for (const stream of streams) stream.end();
    },
  };
}
