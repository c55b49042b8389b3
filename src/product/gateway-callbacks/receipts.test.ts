/**
 * Delivery reports move a message from accepted to delivered, undelivered or expired, also out of order, repeatedly, or before the
 * acceptance is recorded. A final state never changes; later deliveries do not undo a segment's failure.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { newId } from '#base/values/id.ts';
import { type Database, openDatabase } from '#platform/db/database.ts';
import type { DeliveryReport } from '#platform/gateways/sms/callbacks.ts';
import type { SmsOutcome } from '#platform/gateways/sms/gateway.ts';
import {
  atClock,
  type HandedOver,
  handedOverIn,
  type Subject,
  subjects,
} from '../../../test/fixtures/reported.ts';
import { atEnd } from '../../../test/harness/clean-up.ts';
import { createTestDatabase } from '../../../test/harness/database.ts';
import { recordReport } from './record-report.ts';

const { db, url } = await createTestDatabase();
/** Stands for another process. */
const other = openDatabase({ url, poolSize: 10, applicationName: 'other' });
atEnd(() => other.close());
const handOver = await handedOverIn(db);

type State = DeliveryReport['state'];
const failures: readonly (string | undefined)[] = ['undelivered', 'expired'];
const finals: readonly (string | undefined)[] = ['delivered', ...failures];

/**
 * How a gateway reports on segments: by its own ids; by our reference and an id, with or without their number; or only on the whole
 * SMS.
 */
type Way = 'ids' | 'parts' | 'partsWithoutNumber' | 'whole';
const ways: readonly Way[] = ['ids', 'parts', 'partsWithoutNumber', 'whole'];

interface Reported {
  readonly segment: number;
  readonly state: State;
}
type Step = 'outcome' | Reported;

interface Story {
  readonly what: Subject;
  readonly way: Way;
  readonly segments: number;
  /** The outcome that the sender records: without a response of the gateway it knows no ids. */
  readonly outcome: 'accepted' | 'unknown';
  readonly steps: readonly Step[];
}

const stories = fc
  .record({
    what: fc.constantFrom(...subjects),
    way: fc.constantFrom(...ways),
    segments: fc.integer({ min: 1, max: 5 }),
    outcome: fc.constantFrom('accepted', 'accepted', 'accepted', 'unknown'),
    isGood: fc.boolean(),
  })
  .chain(({ isGood, ...story }) => {
    const state = fc.constantFrom<State>(
      'delivered',
      'delivered',
      ...(isGood ? [] : (['undelivered', 'expired'] as const)),
    );
    const report = fc.record({ segment: fc.nat(story.segments - 1), state });
    // Usually one report for each segment, then some repeats.
    const each = fc.tuple(
      ...Array.from({ length: story.segments }, (_, segment) =>
        fc.option(fc.record({ segment: fc.constant(segment), state }), { freq: 8 }),
      ),
    );
    return fc
      .tuple(each, fc.array(report, { maxLength: 5 }))
      .map(([all, more]): Step[] => [...all.filter((one) => one !== null), ...more])
      .chain((steps) => fc.shuffledSubarray(steps, { minLength: steps.length, maxLength: steps.length }))
      .chain((steps) =>
        // Before, after or between the reports.
        fc
          .oneof(fc.constant(0), fc.constant(steps.length), fc.nat(steps.length))
          .map((place): Step[] => [...steps.slice(0, place), 'outcome', ...steps.slice(place)]),
      )
      .map((steps): Story => ({ ...story, outcome: story.outcome as Story['outcome'], steps }));
  });

/** Gateways may reuse ids for different SMS, later or on another connection. */
const idsOf = ({ way, segments }: Story) => {
  const unique = way === 'ids' ? newId() : '';
  return Array.from({ length: segments }, (_, segment) => `${unique}${segment}`);
};

function reportOf(
  { way, segments }: Story,
  ids: readonly string[],
  reference: string,
  { segment, state }: Reported,
) {
  const id = ids[segment] ?? '';
  const said = { state, detail: `${state} ${segment}` };
  if (way === 'whole') return { ...said, reference };
  if (way === 'ids') return { ...said, reference: null, segment: { id, of: null } };
  return { ...said, reference, segment: { id, of: way === 'parts' ? segments : null } };
}

/** Runs one step of the story on a database. */
function player(story: Story, { reference, record }: HandedOver) {
  const ids = idsOf(story);
  const outcome: SmsOutcome =
    story.outcome === 'unknown'
      ? { state: 'unknown', detail: 'No answer.' }
      : { state: 'accepted', gatewayId: 'g', ...(story.way === 'ids' ? { segmentIds: ids } : {}) };
  return (step: Step, by: Database = db) =>
    step === 'outcome'
      ? record(by, outcome)
      : recordReport({ db: by, clock: atClock }, 'g', reportOf(story, ids, reference, step));
}

/** The expected state: the first report of each segment counts, and the first failure of any segment is final. */
function expected({ way, outcome, segments, steps }: Story): string {
  const reports = steps.filter((step) => step !== 'outcome');
  // Reports with unknown ids have no effect.
  if (way === 'ids' && outcome === 'unknown') return 'unknown';
  if (way === 'whole') return reports[0]?.state ?? outcome;
  const first = new Map<number, State>();
  for (const { segment, state } of reports) if (!first.has(segment)) first.set(segment, state);
  const failed = [...first.values()].find((state) => failures.includes(state));
  if (failed !== undefined) return failed;
  return first.size === segments ? 'delivered' : first.size > 0 ? 'accepted' : outcome;
}

/** Each change of state is one event, versions rise by one, and nothing follows a final state. */
async function assertTold(made: HandedOver, what: Subject, state: string | undefined): Promise<void> {
  const events = await made.events();
  if (what !== 'message') {
    // A notice has events only for failures, each once: the workshop's open pages follow them.
    const versions = events.map(({ version }) => version);
    assert.deepEqual(versions, [...new Set(versions)]);
    return assert.ok(events.every(({ kind }) => kind === 'message.noticeFailed' && what === 'notification'));
  }
  assert.deepEqual(
    events.map(({ version }) => version),
    events.map((_, index) => index + 2),
  );
  const states = events.map((event) => event.state);
  assert.equal(states.at(-1) ?? 'sending', state);
  assert.equal(new Set(states).size, states.length, states.join());
  assert.ok(states.filter((told) => finals.includes(told)).length <= 1, states.join());
  for (const { kind, state: told, partnerId } of events) {
    const wanted = told === 'accepted' || told === 'delivered' ? `message.${told}` : 'message.failed';
    assert.equal(kind, wanted);
    assert.ok(partnerId !== null);
  }
}

test('in any order, one after the other: the expected state, with one event each', async () => {
  await fc.assert(
    fc.asyncProperty(stories, async (story) => {
      const made = await handOver(story.what, story.segments);
      const play = player(story, made);
      let before: string | undefined;
      for (const step of story.steps) {
        await play(step);
        const now = await made.state();
        if (finals.includes(before)) assert.equal(now, before, 'a final state was left');
        before = now;
      }
      assert.equal(before, expected(story));
      await assertTold(made, story.what, before);
      // Repeating all steps changes nothing.
      for (const step of story.steps) await play(step);
      assert.equal(await made.state(), before);
      await assertTold(made, story.what, before);
    }),
    { numRuns: 120 },
  );
});

test('concurrently, in two processes: the state that the segments add up to, with one event each', async () => {
  await fc.assert(
    fc.asyncProperty(stories, async (story) => {
      const made = await handOver(story.what, story.segments);
      const play = player(story, made);
      await Promise.all(story.steps.map((step, index) => play(step, index % 2 === 0 ? db : other)));
      const state = await made.state();
      const reports = story.steps.filter((step) => step !== 'outcome');
      if (story.way === 'whole') {
        const said = reports.map((report) => report.state);
        assert.ok(said.length === 0 ? state === story.outcome : said.includes(state as State), String(state));
      } else {
        // The database decides which of two contradictory reports of one segment came first.
        const kept = await db.query<{ state: State }>(
          'SELECT state FROM sms_segment WHERE reference = $1 AND state IS NOT NULL',
          [made.reference],
        );
        const failed = kept.filter((segment) => failures.includes(segment.state));
        const isOneOfThem = failed.some((segment) => segment.state === state);
        if (failed.length > 0) assert.ok(isOneOfThem, String(state));
        else assert.equal(state, expected({ ...story, steps: story.steps.map(asDelivered) }));
      }
      await assertTold(made, story.what, state);
      for (const step of story.steps) await play(step);
      assert.equal(await made.state(), state);
      await assertTold(made, story.what, state);
    }),
    { numRuns: 80 },
  );
});

const asDelivered = (step: Step): Step => (step === 'outcome' ? step : { ...step, state: 'delivered' });
