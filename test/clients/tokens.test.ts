/** How @pitlane/client signs in and refreshes, and what its errors say. The network is scripted. */
import assert from 'node:assert/strict';
import { describe, mock, type TestContext, test } from 'node:test';
import { ConnectionError, type Credentials } from '../../clients/typescript/src/index.ts';
import { booking, clientOf, ok, refusal, tokens } from './scripted.ts';

const second = { token: 'second', refreshToken: 'of the second', expiresIn: 172_800 };

describe('tokens', () => {
  const expired = refusal(401, '010000');
  const isRefresh = (url: string) => url.endsWith('/v1/auth/refresh');
  const isSignIn = (url: string) => url.endsWith('/v1/auth/token');
  const renewing = ({ url, headers }: { url: string; headers: Readonly<Record<string, string>> }) =>
    isRefresh(url)
      ? { status: 200, body: second }
      : headers['Authorization'] === 'Bearer second'
        ? ok
        : expired;

  test('one refresh for all calls that are refused at the same time; each is made again', async () => {
    const kept: object[] = [];
    const { pitlane, asked } = clientOf(renewing, { onTokens: (pair) => kept.push(pair) });
    await Promise.all(Array.from({ length: 5 }, () => pitlane.listWorkshops()));
    const refreshes = asked.filter(({ url }) => isRefresh(url));
    assert.equal(refreshes.length, 1);
    assert.deepEqual(JSON.parse(refreshes[0]?.body ?? ''), { token: 'first', refreshToken: 'of the first' });
    assert.equal(asked.length, 11);
    assert.deepEqual(kept, [second]);
    await pitlane.listWorkshops();
    assert.equal(asked.length, 12);
  });

  test('signed in once before the first calls, again when the refresh is refused', async () => {
    let signIns = 0;
    const { pitlane, asked } = clientOf(
      ({ url, headers }) => {
        if (isSignIn(url)) {
          signIns += 1;
          return { status: 200, body: signIns === 1 ? tokens : second };
        }
        if (isRefresh(url)) return refusal(400, '010002');
        return headers['Authorization'] === 'Bearer second' ? ok : expired;
      },
      {},
      { appKey: 'key', secret: 'secret' },
    );
    await Promise.all([pitlane.listWorkshops(), pitlane.listWebhooks()]);
    assert.equal(signIns, 2);
    assert.equal(asked.filter(({ url }) => isRefresh(url)).length, 1);
    assert.equal(asked[0]?.headers['X-Partner-ID'], 'partner-1');
    assert.equal(asked[0]?.headers['Authorization'], undefined);
  });

  test('a token that is refused again is an error, and so is a refresh without an App Key', async () => {
    const again = clientOf(({ url }) => (isRefresh(url) ? { status: 200, body: second } : expired));
    await assert.rejects(again.pitlane.listWorkshops(), { status: 401, code: '010000' });
    assert.equal(again.asked.length, 3);
    const alone = clientOf(({ url }) => (isRefresh(url) ? refusal(400, '010002') : expired));
    await assert.rejects(alone.pitlane.listWorkshops(), { status: 400, code: '010002' });
  });

  test('after a failed sign-in the next call tries again', async () => {
    let signIns = 0;
    const { pitlane } = clientOf(
      ({ url }) => {
        if (!isSignIn(url)) return ok;
        signIns += 1;
        return signIns === 1 ? refusal(401, '010003') : { status: 200, body: tokens };
      },
      {},
      { appKey: 'key', secret: 'secret' },
    );
    await assert.rejects(pitlane.listWorkshops(), { code: '010003' });
    await pitlane.listWorkshops();
  });
});

describe('a refresh without an answer', () => {
  const expired = refusal(401, '010000');
  const begin = 1_000_000;

  /** Each try takes as long as it may; `triedAt` are the milliseconds since the start at which they began. */
  function lost(t: TestContext, credentials?: Credentials) {
    mock.timers.enable({ apis: ['setTimeout', 'Date'], now: begin });
    const limits = mock.method(AbortSignal, 'timeout').mock;
    t.after(() => {
      limits.restore();
      mock.timers.reset();
    });
    const triedAt: number[] = [];
    let signIns = 0;
    const { pitlane } = clientOf(
      ({ url, headers }) => {
        if (url.endsWith('/auth/token')) {
          signIns += 1;
          return { status: 200, body: second };
        }
        if (!url.endsWith('/auth/refresh'))
          return headers['Authorization'] === 'Bearer second' ? ok : expired;
        triedAt.push(Date.now() - begin);
        mock.timers.tick(Number(limits.calls.at(-1)?.arguments[0]));
        return new TypeError('fetch failed');
      },
      { tries: 9 },
      credentials,
    );
    /** A call, whose pauses pass as soon as they begin. */
    const call = async () => {
      let isDone = false;
      const outcome = pitlane.listWorkshops().finally(() => {
        isDone = true;
      });
      outcome.catch(() => undefined);
      while (!isDone) {
        await new Promise((resolve) => setImmediate(resolve));
        if (!isDone) mock.timers.tick(50);
      }
      return outcome;
    };
    return { call, triedAt, signIns: () => signIns };
  }

  test('is repeated within 50 seconds only: each try has 15 at most, the last one what remains', async (t: TestContext) => {
    const { call, triedAt } = lost(t);
    await assert.rejects(call(), { name: 'ConnectionError' });
    assert.equal(triedAt.length, 4);
    assert.ok(triedAt.every((at) => at < 50_000));
    assert.equal(Date.now() - begin, 50_000);
  });

  test('is not repeated by a later call, which signs in again', async (t: TestContext) => {
    const { call, triedAt, signIns } = lost(t, { appKey: 'key', secret: 'secret', tokens });
    await assert.rejects(call(), { name: 'ConnectionError' });
    const before = triedAt.length;
    await call();
    assert.equal(triedAt.length, before);
    assert.equal(signIns(), 1);
  });

  test('is repeated by a later call where there is no App Key', async (t: TestContext) => {
    const { call, triedAt } = lost(t);
    await assert.rejects(call());
    await assert.rejects(call());
    assert.equal(triedAt.length, 8);
  });
});

describe('errors', () => {
  test('have what the API said', async () => {
    const errors = [{ field: 'services[0].cost', message: 'must be at least 0' }];
    const { pitlane } = clientOf(() => ({ status: 400, body: { ...refusal(400, '000001').body, errors } }));
    await assert.rejects(pitlane.createBooking(booking), {
      name: 'PitlaneError',
      message: 'No.',
      status: 400,
      code: '000001',
      fields: errors,
      requestId: 'r-1',
      reason: null,
      alternatives: [],
    });
  });

  test('a success that is no JSON is no answer', async () => {
    for (const body of ['<h1>Welcome</h1>', '{"success":true,', '']) {
      const { pitlane, asked } = clientOf(() => ({ status: 200, body }), { tries: 1 });
      await assert.rejects(pitlane.createBooking(booking), (error: Error) => {
        assert.ok(error instanceof ConnectionError);
        assert.ok(error.cause instanceof SyntaxError);
        return true;
      });
      assert.equal(asked.length, 1);
    }
    const { pitlane, asked } = clientOf((_, before) => (before === 0 ? { status: 200, body: '<h1>' } : ok));
    await pitlane.listWorkshops();
    assert.equal(asked.length, 2);
  });

  test('a page of a proxy is one too', async () => {
    const { pitlane } = clientOf(() => ({ status: 413, body: '<h1>Too large</h1>' }));
    await assert.rejects(pitlane.createBooking(booking), { status: 413, code: null, requestId: null });
  });
});
