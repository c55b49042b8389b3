/**
 * Receives notifications on a channel of the database (LISTEN), on a separate connection. They are not stored: notifications
 * during a lost connection are lost, and through a pooler none is asked for.
 */
import pg from 'pg';
import type { Database } from './database.ts';
import { isPooled, setUp } from './session-settings.ts';

const firstRetryMs = 1_000;
const retryAtMostMs = 30_000;

export interface Listening {
  /** Closes the connection; no notification is delivered after it has resolved. */
  close(): Promise<void>;
}

/** Connects, and again after each break until it is closed, but not through a pooler; never throws. `hear` gets payloads as they were sent, `begun` is called at each connection. */
export function listen(
  { direct }: Pick<Database, 'direct'>,
  channel: string,
  hear: (payload: string) => void,
  begun: () => void,
): Listening {
  let client: pg.Client | null = null;
  let timer: NodeJS.Timeout | undefined;
  let failures = 0;
  let isClosed = false;
  let connecting: Promise<void> = Promise.resolve();

  async function connect(): Promise<void> {
    const own = new pg.Client({ ...direct.options, connectionTimeoutMillis: 5_000 });
    client = own;
    let isBroken = false;
    const breaks = () => {
      if (isBroken) return;
      isBroken = true;
      if (client === own) client = null;
      void own.end().catch(() => undefined);
      if (isClosed) return;
      timer = setTimeout(begin, Math.min(firstRetryMs * 2 ** failures++, retryAtMostMs)).unref();
    };
    own.on('error', breaks);
    own.on('end', () => {
      if (!isPooled(own)) breaks();
    });
    own.on('notification', ({ payload }) => {
      if (!isClosed) hear(payload ?? '');
    });
    try {
      await own.connect();
      await setUp(own);
      // It would be registered on a session that the next client gets.
      if (isPooled(own)) return void own.end().catch(() => undefined);
      await own.query(`LISTEN ${pg.escapeIdentifier(channel)}`);
      failures = 0;
      if (!isClosed) begun();
    } catch {
      breaks();
    }
  }

  function begin(): void {
    connecting = connect();
  }

  begin();
  return {
    async close() {
      isClosed = true;
      clearTimeout(timer);
      await connecting;
      await client?.end().catch(() => undefined);
    },
  };
}
