/** Hands one message over, part by part, and says what came of it. */
import { setTimeout as pause } from 'node:timers/promises';
import type { SmsOutcome } from '../gateway.ts';
import { messageIdOf } from './fields.ts';
import type { Link } from './link.ts';
import { type Submission, submitBody } from './messages.ts';
import { command, type Pdu } from './pdu.ts';
import { notHandedOver, refusalOf, status, wordsOf } from './status.ts';
import type { Window } from './window.ts';

/** Leaves time for another gateway within the time-out of a hand-over. */
const waitForPlaceMs = 3_000;
/** What is not answered by then gives its place in the window back. */
const answerWithinMs = 60_000;
/** Between two tries of a later part that the carrier is too busy for. */
const busyPauseMs = 500;

export interface Hand {
  readonly link: Link;
  readonly window: Window;
  readonly signal: AbortSignal;
}

interface Way extends Hand {
  /** Resolves when the signal aborts. */
  readonly aborted: Promise<null>;
  /** How long to wait for a place in the window. */
  readonly waitMs: number;
}

/** What became of one part. `none`: there was no place in the window, so it was not handed over. */
type PartOutcome =
  | { readonly state: 'accepted'; readonly id: string }
  | { readonly state: 'refused'; readonly code: number }
  | { readonly state: 'unanswered' }
  | { readonly state: 'none' };

async function submitPart(way: Way, part: Submission): Promise<PartOutcome> {
  const { link, window, signal } = way;
  const leave = await window.enter(way.waitMs, signal);
  if (leave === null) return { state: 'none' };
  if (signal.aborted || !link.isOpen) {
    leave();
    return { state: 'none' };
  }
  const answered = link.request(command.submit, submitBody(part), answerWithinMs);
  void answered.then(leave);
  const answer = await Promise.race([answered, way.aborted]);
  if (answer === null) return { state: 'unanswered' };
  return answer.status === status.ok && answer.command === command.submitAnswer
    ? { state: 'accepted', id: idOf(answer) }
    : { state: 'refused', code: answer.status };
}

/** A later part: what the carrier is too busy for is tried again, since the first part is out already. */
async function submitLater(way: Way, part: Submission): Promise<PartOutcome> {
  for (;;) {
    const outcome = await submitPart(way, part);
    const isBusy =
      outcome.state === 'refused' && (outcome.code === status.throttled || outcome.code === status.queueFull);
    if (!isBusy) return outcome;
    await Promise.race([pause(busyPauseMs), way.aborted]);
    if (way.signal.aborted) return outcome;
  }
}

/**
 * The first part goes alone: what is wrong with the message shows there, before anything is out. Once a part is out,
 * anything but the whole message is `unknown`: nobody can say what the phone makes of the rest.
 */
export async function submit(
  hand: Hand,
  parts: readonly Submission[],
): Promise<readonly string[] | SmsOutcome> {
  const { promise: aborted, resolve } = Promise.withResolvers<null>();
  const abort = () => resolve(null);
  if (hand.signal.aborted) abort();
  hand.signal.addEventListener('abort', abort, { once: true });
  try {
    return await submitAll({ ...hand, aborted, waitMs: waitForPlaceMs }, parts);
  } finally {
    hand.signal.removeEventListener('abort', abort);
  }
}

async function submitAll(way: Way, parts: readonly Submission[]): Promise<readonly string[] | SmsOutcome> {
  const [first, ...others] = parts;
  if (first === undefined) throw new Error('a message has a part');
  const begun = await submitPart(way, first);
  if (begun.state === 'none') {
    const why = way.link.isOpen ? 'has too much to do' : 'has just ended';
    return notHandedOver(`The connection to the carrier ${why}.`);
  }
  if (begun.state === 'refused') return refusalOf(begun.code);
  if (begun.state === 'unanswered') return unknown(0, parts.length, '');
  const later = { ...way, waitMs: answerWithinMs };
  const rest = await Promise.all(others.map((part) => submitLater(later, part)));
  const outcomes = [begun, ...rest];
  const accepted = outcomes.flatMap((outcome) => (outcome.state === 'accepted' ? [outcome.id] : []));
  if (accepted.length === parts.length) return accepted;
  const refused = outcomes.find((outcome) => outcome.state === 'refused');
  return unknown(accepted.length, parts.length, refused === undefined ? '' : ` ${wordsOf(refused.code)}`);
}

function unknown(accepted: number, of: number, words: string): SmsOutcome {
  const detail =
    of === 1
      ? 'The carrier did not answer.'
      : `The carrier accepted ${accepted} of ${of} parts and did not take or answer the rest.${words}`;
  return { state: 'unknown', detail };
}

/** One that can't be read is none: the message is accepted all the same. */
function idOf({ body }: Pdu): string {
  return body.includes(0) ? messageIdOf(body) : '';
}
