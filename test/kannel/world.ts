/** A real server that sends through a real Kannel, with a partner and a workshop. */
import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { systemClock } from '#base/clock.ts';
import type { Database } from '#platform/db/database.ts';
import { createTestDatabase } from '../harness/database.ts';
import { type HttpResponse, send } from '../harness/http.ts';
import { startKannel } from '../harness/kannel.ts';
import type { Kannel, KannelOptions } from '../harness/kannel-processes.ts';
import { freePorts } from '../harness/ports.ts';
import { type ServerProcess, startServer } from '../harness/server.ts';
import { until } from '../harness/wait.ts';
import { linkedWorkshop, type ServingApp, type SignedInPartner, signedInPartner } from '../harness/world.ts';

export interface KannelWorld {
  readonly db: Database;
  readonly kannel: Kannel;
  readonly server: ServerProcess;
  /** Starts the server again, at the same address, after it has ended. */
  restart(): Promise<void>;
  readonly place: ServingApp;
  readonly partner: SignedInPartner;
  /** Its sender is +61400000000. */
  readonly workshopId: string;
  /** Sends a message with the phone as its reference, and returns the response, which must be 200. */
  post(phone: string, message: string, workshopId?: string): Promise<HttpResponse['body']>;
  /** The stored message. */
  read(messageId: string): Promise<HttpResponse['body']>;
  /** Waits until it has this state. */
  becomes(messageId: string, state: string): Promise<void>;
  /** Customers' answers from this phone, oldest first. */
  answersOf(phone: string): Promise<{ body: string; conversation: string }[]>;
}

export async function startKannelWorld(t: TestContext, options: KannelOptions = {}): Promise<KannelWorld> {
  const { db, url: databaseUrl } = await createTestDatabase();
  const [port = 0] = await freePorts(1);
  const url = `http://127.0.0.1:${port}`;
  const kannel = await startKannel(url, options);
  const settings = { ...kannel.settings, DATABASE_URL: databaseUrl, PORT: String(port), LOG_LEVEL: 'info' };
  let server = await startServer(t, settings);
  const place: ServingApp = {
    context: { db, clock: systemClock() },
    request: (method: string, path: string, request = {}) => send(`${url}${path}`, method, request),
  };
  const partner = await signedInPartner(place);
  const ownWorkshopId = await linkedWorkshop(place, [partner], { smsSender: '+61400000000' });
  const messages = (workshopId: string) => `/workshops/${workshopId}/messages`;

  const read: KannelWorld['read'] = async (messageId) =>
    (await partner.call('GET', `${messages(ownWorkshopId)}/${messageId}`)).body.message;
  return {
    db,
    kannel,
    get server() {
      return server;
    },
    async restart() {
      server = await startServer(t, settings);
    },
    place,
    partner,
    workshopId: ownWorkshopId,
    async post(phone, message, workshopId = ownWorkshopId) {
      const { status, body } = await partner.call('POST', messages(workshopId), {
        phone,
        referenceId: phone,
        channels: { sms: { message } },
      });
      assert.equal(status, 200, body?.message);
      return body;
    },
    read,
    async becomes(messageId, state) {
      let last = '';
      const is = async () => {
        last = (await read(messageId)).state;
        return last === state;
      };
      await until(`the message is ${state}`, is).catch((error: Error) => {
        throw new Error(`${error.message}: it is ${last}`);
      });
    },
    answersOf: (phone) =>
      db.query(
        `SELECT body, conversation_id AS conversation FROM message
          WHERE direction = 'inbound' AND recipient = $1 ORDER BY id`,
        [phone],
      ),
  };
}
