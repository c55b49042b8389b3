/** Names that others choose, looked up by DNS: name servers that never answer hold up nobody else. */
import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { after, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { clientOf, post } from '../../../../test/fixtures/outbound.ts';
import { publicNetwork } from './public-network.ts';
import { resolveName } from './resolve.ts';

/** A name server on this machine; `answer` gets the question and may be null, for none. */
async function nameServer(answer: (query: Buffer) => Buffer | null): Promise<string> {
  const socket = createSocket('udp4');
  after(() => socket.close());
  socket.on('message', (query, { port, address }) => {
    const reply = answer(query);
    if (reply !== null) socket.send(reply, port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return `127.0.0.1:${socket.address().port}`;
}

/** A response to the question with these data (A: 4 bytes, AAAA: 16), or none of this type. */
function response(query: Buffer, data: Buffer | null): Buffer {
  let end = 12;
  while ((query[end] ?? 0) !== 0) end += (query[end] ?? 0) + 1;
  const question = query.subarray(12, end + 5);
  const head = Buffer.from(query.subarray(0, 12));
  head.writeUInt16BE(0x8180, 2);
  head.writeUInt16BE(data === null ? 0 : 1, 6);
  head.writeUInt32BE(0, 8);
  if (data === null) return Buffer.concat([head, question]);
  const record = Buffer.alloc(12);
  record.writeUInt16BE(0xc00c, 0);
  question.copy(record, 2, question.length - 4);
  record.writeUInt32BE(60, 6);
  record.writeUInt16BE(data.length, 10);
  return Buffer.concat([head, question, record, data]);
}

const isForIpv6 = (query: Buffer) => query.includes(Buffer.from([0, 28, 0, 1]), 12);

const resolved = (servers: readonly string[], timeoutMs?: number) =>
  new Promise<{ code: string | null; syscall: string | null; addresses: string[] }>((resolve) => {
    resolveName(
      'partner.example',
      (error, addresses) => {
        const { code = null, syscall = null } = Object(error ?? {});
        resolve({ code, syscall, addresses: addresses.map(({ address }) => address) });
      },
      { servers, ...(timeoutMs !== undefined && { timeoutMs }) },
    );
  });

test('the addresses of both families, or of the one that a name has', async () => {
  const ipv6 = Buffer.from('20010db8000000000000000000000001', 'hex');
  const both = await nameServer((query) =>
    response(query, isForIpv6(query) ? ipv6 : Buffer.from([192, 0, 2, 7])),
  );
  assert.deepEqual((await resolved([both])).addresses, ['192.0.2.7', '2001:db8::1']);
  const one = await nameServer((query) => response(query, isForIpv6(query) ? ipv6 : null));
  assert.deepEqual((await resolved([one])).addresses, ['2001:db8::1']);
  const none = await nameServer((query) => response(query, null));
  assert.deepEqual(await resolved([none]), { code: 'ENODATA', syscall: 'queryA', addresses: [] });
});

test('a name server that never answers is given up', async () => {
  const silent = await nameServer(() => null);
  const { code, addresses } = await resolved([silent], 250);
  assert.deepEqual([code, addresses], ['ETIMEOUT', []]);
});

test('a look-up of a URL that a partner chose holds no thread of the process, which others need', async () => {
  const seen = new Set<string>();
  let isOver = false;
  const call = clientOf({ network: publicNetwork, nowhereMs: 1 }).call('https://partner.invalid/', post);
  void call.finally(() => {
    isOver = true;
  });
  while (!isOver) {
    for (const resource of process.getActiveResourcesInfo()) seen.add(resource);
    await setImmediate();
  }
  assert.match((await call).error ?? '', /no public address/);
  assert.ok(seen.has('UDPWrap'), 'a name server is asked');
  assert.ok(!seen.has('GetAddrInfoReqWrap'));
});
