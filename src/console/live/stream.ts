/** One event stream: server-sent events on a response that lasts as long as its page. */
import type { ServerResponse } from 'node:http';
import type { SessionState } from '#product/people/sessions/state/store.ts';
import type { Hint } from './kinds.ts';

/** The most unread bytes: beyond that the stream is ended, and the page fetches itself when it reconnects. */
export const unreadAtMostBytes = 64 * 1024;

const retryMs = 1_000;

export const headers = {
  'content-type': 'text/event-stream; charset=utf-8',
  // nginx would buffer the stream otherwise.
  'x-accel-buffering': 'no',
  // The connection is not reused.
  connection: 'close',
};

/** The texts of the stream's messages. */
export const frames = {
  beginning: `retry: ${retryMs}\n\n`,
  ready: 'event: ready\ndata: {}\n\n',
  comment: ': \n\n',
  changed: (hints: readonly Hint[]) => `event: changed\ndata: ${JSON.stringify(hints)}\n\n`,
  /** The other people at a conversation, for somebody who is there. */
  present: (conversationId: string, people: readonly object[]) =>
    `event: present\ndata: ${JSON.stringify({ conversationId, people })}\n\n`,
};

export interface Stream extends SessionState {
  /** It has been told that it hears of everything from then on. */
  isReady: boolean;
  /** Sends messages; ends the stream when its client reads none. */
  send(message: string | Buffer): void;
  /** Closes the connection; what the client has not read is lost. */
  end(): void;
}

/** The stream on a response whose head has been sent. `ended` is called once, however it ends. */
export function createStream(response: ServerResponse, session: SessionState, ended: () => void): Stream {
  response.once('close', ended);
  return {
    ...session,
    isReady: false,
    send(message) {
      if (response.writableEnded || response.destroyed) return;
      response.write(message);
      if (response.writableLength > unreadAtMostBytes) response.destroy();
    },
    end() {
      if (response.writableLength > 0) response.destroy();
      else response.end();
    },
  };
}
