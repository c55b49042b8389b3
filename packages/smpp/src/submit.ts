/** Hands one message over, part by part, and returns the outcome. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Connection } from './connection.ts';
import { messageIdOf } from './fields.ts';
import type { Refusal, Unknown } from './host.ts';
import { type Submission, submitBody } from './messages.ts';
import { command, type Pdu } from './pdu.ts';
import { isBusy, notHandedOver, refusalOf, status, type VendorCodes, wordsOf } from './status.ts';
import type { Window } from './window.ts';

/** Leaves time for another gateway within the time-out of a hand-over. */
const waitForWindowMs = 3_000;
/** A request without a response by then gives its place in the window back. */
const responseWithinMs = 60_000;
/** The pause before a later part is retried because the carrier was too busy. */
const busyPauseMs = 500;

export interface Hand {
  readonly connection: Connection;
  readonly window: Window;
  readonly signal: AbortSignal;
  /** False when the sender is the installation's, not the workshop's. */
  readonly isOwnSender: boolean;
  /** The meanings of the carrier's own statuses. */
  readonly vendorCodes: VendorCodes;
}

interface Way extends Hand {
  /** Resolves when the signal aborts. */
  readonly aborted: Promise<null>;
}

/** The carrier's ids of all parts, empty when it gave none; or why the message is not accepted. */
export type Submitted =
  | { readonly state: 'accepted'; readonly ids: readonly string[] }
  | Refusal
  /** `late`: resolves to the ids when all parts turn out to be accepted after the signal; else to null. */
  | (Unknown & { readonly late: Promise<readonly string[] | null> });

/** The result for one part. `none`: the window had no place, so the part was not handed over. */
type PartOutcome =
  | { readonly state: 'accepted'; readonly id: string }
  | { readonly state: 'refused'; readonly code: number }
  | { readonly state: 'unanswered'; readonly late: Promise<string | null> }
  | { readonly state: 'none' };

async function submitPart(way: Way, part: Submission, of: 'begun' | 'new'): Promise<PartOutcome> {
  const { connection, window, signal } = way;
  const leave = await window.enter(of === 'new' ? waitForWindowMs : responseWithinMs, signal, of);
  if (leave === null) return { state: 'none' };
  if (signal.aborted || !connection.isOpen) {
    leave();
    return { state: 'none' };
  }
  const answered = connection.request(command.submit, submitBody(part), responseWithinMs);
  void answered.then(leave);
  const answer = await Promise.race([answered, way.aborted]);
  if (answer === null) return { state: 'unanswered', late: answered.then(acceptedId) };
  const id = acceptedId(answer);
  return id === null ? { state: 'refused', code: answer.status } : { state: 'accepted', id };
}

function acceptedId(answer: Pdu | null): string | null {
  if (answer?.status !== status.ok || answer.command !== command.submitAnswer) return null;
  return messageIdOf(answer.body);
}

/** Sends a later part: it is retried while the carrier is too busy, since the first part is already out. */
async function submitLater(way: Way, part: Submission): Promise<PartOutcome> {
  for (;;) {
    const outcome = await submitPart(way, part, 'begun');
    if (outcome.state !== 'refused' || !isBusy(outcome.code, way.vendorCodes)) return outcome;
    await Promise.race([pause(busyPauseMs), way.aborted]);
    if (way.signal.aborted) return outcome;
  }
}

/**
 * The first part goes alone: a fault of the message shows there, before any other part is out. Once a part is out, any result but
 * a complete message is `unknown`, since a phone may show part of a message or nothing.
 */
export async function submit(hand: Hand, parts: readonly Submission[]): Promise<Submitted> {
  const { promise: aborted, resolve } = Promise.withResolvers<null>();
  const abort = () => resolve(null);
  if (hand.signal.aborted) abort();
  hand.signal.addEventListener('abort', abort, { once: true });
  try {
    return await submitAll({ ...hand, aborted }, parts);
  } finally {
    hand.signal.removeEventListener('abort', abort);
  }
}

async function submitAll(way: Way, [first, ...others]: readonly Submission[]): Promise<Submitted> {
  if (first === undefined) throw new Error('a message has a part');
  const begun = await submitPart(way, first, 'new');
  if (begun.state === 'none') {
    const why = way.connection.isOpen ? 'has too much to do' : 'has just ended';
    return notHandedOver(`The connection to the carrier ${why}.`);
  }
  if (begun.state === 'refused') return refusalOf(begun.code, way.isOwnSender, way.vendorCodes);
  const rest: readonly PartOutcome[] =
    begun.state === 'accepted'
      ? await Promise.all(others.map((part) => submitLater(way, part)))
      : others.map(() => ({ state: 'none' }));
  return together([begun, ...rest], way);
}

function together(outcomes: readonly PartOutcome[], { connection, vendorCodes }: Way): Submitted {
  const ids = outcomes.flatMap((outcome) => (outcome.state === 'accepted' ? [outcome.id] : []));
  if (ids.length === outcomes.length) return { state: 'accepted', ids };
  const refused = outcomes.find((outcome) => outcome.state === 'refused');
  const words = refused === undefined ? '' : ` ${wordsOf(refused.code, vendorCodes)}`;
  const detail =
    outcomes.length === 1
      ? 'The carrier did not answer.'
      : `The carrier accepted ${ids.length} of ${outcomes.length} parts and did not take or answer the rest.${words}`;
  const incident = connection.isOpen ? {} : { incident: `connection ${connection.id} was lost` };
  return { state: 'unknown', detail, ...incident, late: lateIds(outcomes) };
}

async function lateIds(outcomes: readonly PartOutcome[]): Promise<readonly string[] | null> {
  const ids: string[] = [];
  for (const outcome of outcomes) {
    if (outcome.state === 'refused' || outcome.state === 'none') return null;
    const id = outcome.state === 'accepted' ? outcome.id : await outcome.late;
    if (id === null) return null;
    ids.push(id);
  }
  return ids;
}
