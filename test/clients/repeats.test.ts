/** What @pitlane/client repeats, how it waits, and what it throws. The network is scripted: the far side must fail on purpose. */
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, mock, test } from 'node:test';
import { ConnectionError, PitlaneError } from '../../clients/typescript/src/index.ts';
import { normaliseString } from '../../src/base/values/text.ts';
import { booking, clientOf, ok, refusal, tokens } from './scripted.ts';

const unavailable = refusal(503, '000007', { 'retry-after': '2' });
const cut = new TypeError('fetch failed');

const withKey = { appKey: 'key', secret: 'secret' };

const message = (referenceId?: string) =>
  ({ path: { id: 'w' }, body: { channels: { sms: { message: 'Hi' } }, referenceId } }) as const;

beforeEach(() => {
  mock.timers.enable({ apis: ['setTimeout'] });
});

afterEach(() => mock.timers.reset());

/** Lets each pause pass as soon as it begins; resolves to how long they were together, in milliseconds, in whole steps. */
async function pauses(work: Promise<unknown>, stepMs = 1): Promise<number> {
  let isDone = false;
  const done = () => {
    isDone = true;
  };
  void work.then(done, done);
  for (let waitedMs = 0; ; waitedMs += stepMs) {
    await new Promise((resolve) => setImmediate(resolve));
    if (isDone) return waitedMs;
    mock.timers.tick(stepMs);
  }
}

describe('what is repeated', () => {
  for (const failure of [unavailable, refusal(502), refusal(504), refusal(409, '000009'), cut]) {
    const name = failure instanceof Error ? 'no answer' : `${failure.status}`;

    test(`after ${name}: GET, PUT, DELETE, and a POST with a key or a reference`, async () => {
      const calls: ((pitlane: ReturnType<typeof clientOf>['pitlane']) => Promise<unknown>)[] = [
        (pitlane) => pitlane.listWorkshops(),
        (pitlane) => pitlane.updateBooking({ path: { id: 'b' }, body: { notes: 'x' } }),
        (pitlane) => pitlane.deleteWebhook({ path: { id: 'h' } }),
        (pitlane) => pitlane.createBooking(booking),
        (pitlane) => pitlane.sendMessage(message('ready-1')),
      ];
      for (const call of calls) {
        const { pitlane, asked } = clientOf((_, before) => (before < 2 ? failure : ok));
        const work = call(pitlane);
        await pauses(work);
        await work;
        assert.equal(asked.length, 3);
        const [first] = asked;
        for (const one of asked) assert.deepEqual(one, first);
      }
    });

    test(`after ${name}: neither a POST without a key, nor a PUT with If-Match, nor a PATCH`, async () => {
      const calls: ((pitlane: ReturnType<typeof clientOf>['pitlane']) => Promise<unknown>)[] = [
        (pitlane) => pitlane.sendMessage(message()),
        (pitlane) => pitlane.setBookingStatus({ path: { id: 'b', status: 'confirmed' }, body: {} }),
        (pitlane) => pitlane.updateBooking({ path: { id: 'b' }, headers: { 'If-Match': '"1"' }, body: {} }),
        (pitlane) => pitlane.updateWebhook({ path: { id: 'h' }, body: {} }),
      ];
      for (const call of calls) {
        const { pitlane, asked } = clientOf(() => failure);
        await assert.rejects(call(pitlane));
        assert.equal(asked.length, 1);
      }
    });
  }

  test('after 429 everything, since it was not processed', async () => {
    const { pitlane, asked } = clientOf((_, before) =>
      before === 0 ? refusal(429, undefined, { 'retry-after': '1' }) : ok,
    );
    const work = pitlane.sendMessage(message());
    await pauses(work);
    await work;
    assert.equal(asked.length, 2);
  });

  test('nothing after another refusal, and a 500', async () => {
    for (const failure of [refusal(400, '000001'), refusal(404, '060001'), refusal(500, '000500')]) {
      const { pitlane, asked } = clientOf(() => failure);
      await assert.rejects(pitlane.createBooking(booking), PitlaneError);
      assert.equal(asked.length, 1);
    }
  });

  test('a reference without a visible character counts as absent', async () => {
    for (const blank of ['', '  ', '\t\n', '\u200b\u2060', '\ufeff', '\u00a0\u3164', '\u2800', '\u0085']) {
      const { pitlane, asked } = clientOf(() => cut);
      await assert.rejects(pitlane.sendMessage(message(blank)), ConnectionError);
      assert.equal(asked.length, 1, JSON.stringify(blank));
      // The API takes it for absent too.
      assert.equal(normaliseString(blank), '');
    }
    const { pitlane, asked } = clientOf((_, before) => (before === 0 ? cut : ok));
    const work = pitlane.sendMessage(message(' \u200b7'));
    await pauses(work);
    await work;
    assert.equal(asked.length, 2);
  });

  for (const failure of [cut, unavailable, refusal(429, undefined, { 'retry-after': '1' })]) {
    const name = failure instanceof Error ? 'no answer' : `${failure.status}`;

    test(`a sign-in or refresh with ${name} as often as a request, whatever waits for it`, async () => {
      for (const [options, times] of [
        [{}, 4],
        [{ tries: 1 }, 1],
      ] as const) {
        const signingIn = clientOf(() => failure, options, withKey);
        const two = Promise.allSettled([signingIn.pitlane.listWorkshops(), signingIn.pitlane.listWebhooks()]);
        await pauses(two, 50);
        assert.deepEqual(
          (await two).map(({ status }) => status),
          ['rejected', 'rejected'],
        );
        assert.equal(signingIn.asked.length, times);

        const refreshing = clientOf(
          ({ url }) => (url.endsWith('/auth/refresh') ? failure : refusal(401, '010000')),
          options,
        );
        const work = refreshing.pitlane.listWorkshops();
        await pauses(work, 50);
        await assert.rejects(work);
        assert.equal(refreshing.asked.length, 1 + times);
      }
    });
  }

  test('four times at most, or as often as `tries` says', async () => {
    for (const [options, times] of [
      [{}, 4],
      [{ tries: 2 }, 2],
      [{ tries: 1 }, 1],
    ] as const) {
      const { pitlane, asked } = clientOf(() => cut, options);
      const work = pitlane.listWorkshops();
      await pauses(work);
      await assert.rejects(work, ConnectionError);
      assert.equal(asked.length, times);
    }
  });
});

describe('how it waits', () => {
  test('as long as Retry-After says', async () => {
    const { pitlane } = clientOf((_, before) => (before === 0 ? unavailable : ok));
    const work = pitlane.listWorkshops();
    assert.equal(await pauses(work), 2_000);
  });

  test('until the date that the Retry-After of a proxy names', async () => {
    const until = { date: 'Sun, 06 Nov 1994 08:49:37 GMT', 'retry-after': 'Sun, 06 Nov 1994 08:49:40 GMT' };
    const { pitlane } = clientOf((_, before) => (before === 0 ? refusal(503, '000007', until) : ok));
    const work = pitlane.listWorkshops();
    assert.equal(await pauses(work), 3_000);
  });

  test('else 125 to 250 ms, then twice as long each time', async () => {
    const { pitlane } = clientOf((_, before) => (before < 3 ? cut : ok));
    const work = pitlane.listWorkshops();
    const waitedMs = await pauses(work);
    assert.ok(waitedMs >= 875 && waitedMs <= 1_750, String(waitedMs));
  });

  test('not at all when that is longer than `longestPauseMs`', async () => {
    const { pitlane, asked } = clientOf(() => unavailable, { longestPauseMs: 1_999 });
    await assert.rejects(pitlane.listWorkshops(), { status: 503, retryAfterSeconds: 2 });
    assert.equal(asked.length, 1);
  });

  test('no longer once its signal is aborted', async () => {
    const { pitlane, asked } = clientOf(() => unavailable);
    const controller = new AbortController();
    const work = pitlane.listWorkshops(undefined, { signal: controller.signal });
    setImmediate(() => controller.abort(new Error('enough')));
    await assert.rejects(work, { message: 'enough' });
    assert.equal(asked.length, 1);
  });

  test('nor for a sign-in or refresh, which goes on for others', async () => {
    for (const waitedFor of ['/auth/token', '/auth/refresh']) {
      const signIn = waitedFor === '/auth/token';
      let tried = 0;
      const { pitlane } = clientOf(
        ({ url, headers }) => {
          if (url.endsWith(waitedFor)) {
            tried += 1;
            return tried < 3 ? unavailable : { status: 200, body: { ...tokens, token: 'new' } };
          }
          return headers['Authorization'] === 'Bearer new' ? ok : refusal(401, '010000');
        },
        {},
        signIn ? withKey : { tokens },
      );
      const controller = new AbortController();
      const ended = pitlane.listWorkshops(undefined, { signal: controller.signal });
      const other = pitlane.listWebhooks();
      setTimeout(() => controller.abort(new Error('enough')), 1_000);
      const [, waitedMs] = await Promise.all([
        assert.rejects(ended, { message: 'enough' }),
        pauses(
          ended.catch(() => undefined),
          50,
        ),
      ]);
      assert.equal(waitedMs, 1_000);
      assert.equal(tried, 1);
      await pauses(other, 50);
      await other;
      assert.equal(tried, 3);
    }
  });

  test('a call whose signal was aborted before does not even sign in', async () => {
    const { pitlane, asked } = clientOf(() => ok, {}, withKey);
    const signal = AbortSignal.abort(new Error('enough'));
    await assert.rejects(pitlane.listWorkshops(undefined, { signal }), { message: 'enough' });
    assert.equal(asked.length, 0);
  });

  test('each try has a time-out of its own', async () => {
    // The time-out is the platform's, the pauses are real.
    mock.timers.reset();
    const { pitlane, asked } = clientOf(() => 'never', { timeoutMs: 5, tries: 2 });
    await assert.rejects(pitlane.listWorkshops(), (error: Error) => {
      assert.ok(error instanceof ConnectionError);
      assert.equal((error.cause as Error).name, 'TimeoutError');
      return true;
    });
    assert.equal(asked.length, 2);
  });
});
