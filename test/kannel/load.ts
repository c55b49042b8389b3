/** Partners that keep sending messages and creating bookings through a Kannel that stops and starts, and record the responses. */
import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { Answer } from '../harness/app.ts';
import { NoResponse } from '../harness/http.ts';
import { until } from '../harness/wait.ts';
import { bookingBody } from '../harness/world.ts';
import type { KannelWorld } from './world.ts';

/** So that what runs beside it has the processor too, and longer where nothing goes out anyway. */
const betweenMs = 100;
const whileAwayMs = 250;

let phones = 100_000;
/** More than the range for fiction has; nothing leaves the machine. */
const newPhone = () => `+61492${phones++}`;

export interface Sent {
  readonly phone: string;
  readonly text: string;
  /** The `sms` of the first response; null when the connection ended before it. */
  first: Answer['body']['sms'] | null;
}

export interface KannelLoad {
  /** Each has a text and a phone of its own. */
  readonly messages: readonly Sent[];
  /** Phones of the customers of bookings with a 201 response; each has one. */
  readonly booked: readonly string[];
  /** Waits for that many more messages with this outcome: `accepted`, or the reason in the response. */
  more(outcome: string, count: number): Promise<void>;
  stop(): Promise<void>;
}

export const outcomeOf = ({ first }: Sent): string =>
  first === null ? 'unanswered' : first.sent ? 'accepted' : first.reason;

/**
 * `clients` senders of messages and a quarter as many of bookings; each sends its next when the last was answered. They stop
 * with the test, at the latest.
 */
export function startLoad(t: TestContext, world: KannelWorld, clients: number): KannelLoad {
  const messages: Sent[] = [];
  const booked: string[] = [];
  let stopping = false;

  async function sendOne(): Promise<void> {
    const phone = newPhone();
    const sent: Sent = { phone, text: `Message to ${phone}.`, first: null };
    messages.push(sent);
    sent.first = await heard(async () => (await world.post(phone, sent.text)).sms);
    if (!sent.first?.sent) await pause(whileAwayMs);
  }
  async function bookOne(): Promise<void> {
    const phone = newPhone();
    const body = bookingBody(world.workshopId, { customerPhone: phone, carRego: `K${phone.slice(-3)}` });
    const answer = await heard(() => world.partner.call('POST', '/bookings', body));
    if (answer?.status === 201) booked.push(phone);
    else if (answer !== null) assert.equal(answer.status, 503, answer.body?.message);
    await pause(whileAwayMs);
  }
  /** Null when the server was killed meanwhile, is away, or has refused the whole request since the machine is too busy. */
  async function heard<T>(work: () => Promise<T>): Promise<T | null> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof NoResponse) return null;
      if (error instanceof assert.AssertionError && error.actual === 503) return null;
      throw error;
    }
  }
  async function keep(work: () => Promise<void>): Promise<void> {
    while (!stopping) {
      await work();
      await pause(betweenMs);
    }
  }
  const loops = [
    ...Array.from({ length: clients }, () => keep(sendOne)),
    ...Array.from({ length: Math.ceil(clients / 4) }, () => keep(bookOne)),
  ];
  const stop = async () => {
    stopping = true;
    await Promise.all(loops);
  };
  t.after(stop);
  const count = (outcome: string) => messages.filter((sent) => outcomeOf(sent) === outcome).length;
  return {
    messages,
    booked,
    async more(outcome, wanted) {
      const before = count(outcome);
      await until(`${wanted} more ${outcome}`, () => count(outcome) >= before + wanted);
    },
    stop,
  };
}
