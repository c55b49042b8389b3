/** A broken or hostile carrier: nothing that it writes harms more than its connection. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { until } from '../../../test/harness/wait.ts';
import { command, encodePdu, type Pdu, pduReader } from '../src/pdu.ts';
import { type Connected, connectTo, untilBound } from './connect.ts';

const nothing = Buffer.alloc(0);

/** A server without a library: it responds to binds, and the test writes any octets. */
async function rawCarrier(t: TestContext, answersBind = true, andThen: Buffer = nothing) {
  const sockets: Socket[] = [];
  const heard: Pdu[] = [];
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    sockets.push(socket);
    const read = pduReader();
    socket.on('error', () => undefined);
    socket.on('data', (chunk: Buffer) => {
      for (const pdu of read(chunk)) {
        heard.push(pdu);
        if (pdu.command !== command.bindTransceiver || !answersBind) continue;
        const answer = {
          ...pdu,
          command: command.bindTransceiverAnswer,
          status: 0,
          body: Buffer.from('c\0'),
        };
        socket.write(Buffer.concat([encodePdu(answer), andThen]));
      }
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  t.after(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  const { port } = server.address() as AddressInfo;
  return { port, sockets, heard };
}

/** Asserts that a later connection works, whatever was written. */
async function stillWorks(
  connected: Connected,
  sockets: readonly Socket[],
  heard: readonly Pdu[],
): Promise<void> {
  await until('it is bound again', () => sockets.length === 2 && connected.told.at(-1)?.isConnected === true);
  const before = heard.length;
  void connected.send();
  await until('it sends', () => heard.slice(before).some((pdu) => pdu.command === command.submit));
}

const header = (length: number, of: number, sequence = 1) => {
  const bytes = encodePdu({ command: of, status: 0, sequence, body: nothing });
  bytes.writeUInt32BE(length, 0);
  return bytes;
};

for (const [name, bytes] of [
  ['a length of 0', header(0, command.deliver)],
  ['a length of 15', header(15, command.deliver)],
  ['a length of 4 GiB', header(0xffffffff, command.deliver)],
  ['an answer in HTTP', Buffer.from('HTTP/1.1 400 Bad Request\r\n\r\n')],
  ['half a PDU, then silence', header(100, command.deliver).subarray(0, 10)],
  ['half a body, then silence', header(100, command.deliver)],
] as const) {
  test(`${name} ends the connection, and the next one works`, async (t) => {
    const { port, sockets, heard } = await rawCarrier(t);
    const connected = connectTo(t, port, { enquireLinkMs: 200 });
    await untilBound(connected);
    sockets[0]?.write(bytes);
    await stillWorks(connected, sockets, heard);
    assert.match(connected.told[1]?.detail ?? '', /not SMPP: a PDU of \d+ octets|no longer answers/);
  });
}

test('a response before malformed octets counts', async (t) => {
  const { port, sockets, heard } = await rawCarrier(t);
  const connected = connectTo(t, port);
  await untilBound(connected);
  const sending = connected.send();
  await until('it was handed over', () => heard.some((pdu) => pdu.command === command.submit));
  const { sequence = 0 } = heard.find((pdu) => pdu.command === command.submit) ?? {};
  const answer = encodePdu({ command: command.submitAnswer, status: 0, sequence, body: body('616200') });
  sockets[0]?.write(Buffer.concat([answer, header(0, command.deliver)]));
  assert.deepEqual(await sending, { state: 'accepted', gatewayId: 'ab', segmentIds: ['ab'] });
  await until('it is bound again', () => sockets.length === 2);
});

test('a connection that breaks within a PDU', async (t) => {
  const { port, sockets, heard } = await rawCarrier(t);
  const connected = connectTo(t, port);
  await untilBound(connected);
  sockets[0]?.end(header(100, command.deliver));
  await stillWorks(connected, sockets, heard);
});

test('a server that never responds to the bind is left and tried again', async (t) => {
  const { port, sockets } = await rawCarrier(t, false);
  const connected = connectTo(t, port);
  await until('it is tried again', () => sockets.length === 2);
  assert.equal(connected.told[0]?.detail, 'The carrier did not answer the bind.');
});

test('a server that unbinds as it responds to the bind is tried again', async (t) => {
  const leave = encodePdu({ command: command.unbind, status: 0, sequence: 1, body: nothing });
  const { port, sockets } = await rawCarrier(t, true, leave);
  const connected = connectTo(t, port);
  await until('it is tried again', () => sockets.length === 3);
  assert.deepEqual(connected.told, [{ isConnected: false, detail: 'The carrier ended the connection.' }]);
});

const body = (text: string) => Buffer.from(text, 'hex');
/** A deliver_sm, up to the length of its text, from 61 to 61. */
const start = '00 0101 363100 0101 363100 000000 00 00 00000000'.replaceAll(' ', '');

test('malformed requests are refused, unexpected responses are ignored, and the connection stays', async (t) => {
  const { port, sockets, heard } = await rawCarrier(t);
  const connected = connectTo(t, port);
  await untilBound(connected);
  const [socket] = sockets;
  const answers = async (pdu: Omit<Pdu, 'sequence' | 'status'>, sequence: number) => {
    socket?.write(encodePdu({ ...pdu, status: 0, sequence }));
    await until('it is answered', () =>
      heard.some((answer) => answer.sequence === sequence && answer.command >= command.nack),
    );
    return heard.find((answer) => answer.sequence === sequence && answer.command >= command.nack);
  };
  for (const [sequence, hex] of [
    [101, ''],
    [102, '0001'],
    [103, `${start}ff4142`],
    [104, `${start}024142 0427 00ff 02`.replaceAll(' ', '')],
    [105, start.replace('363100', '36'.repeat(65).concat('00'))],
  ] as const) {
    const answer = await answers({ command: command.deliver, body: body(hex) }, sequence);
    assert.deepEqual([answer?.command, answer?.status], [command.deliverAnswer, 0x02], hex);
  }
  const unknown = await answers({ command: 0x1234, body: nothing }, 106);
  assert.deepEqual([unknown?.command, unknown?.status], [command.nack, 0x03]);

  for (const kind of [command.submitAnswer, command.enquireLinkAnswer, command.nack, 0x8000ffff]) {
    socket?.write(encodePdu({ command: kind, status: 0, sequence: 4_000_000, body: body('6162') }));
  }
  const alive = await answers({ command: command.enquireLink, body: nothing }, 107);
  assert.deepEqual([alive?.command, connected.told.length], [command.enquireLinkAnswer, 1]);
  assert.deepEqual(connected.received, []);
});

test('octets after a message that form no parameter take nothing from it', async (t) => {
  const { port, sockets, heard } = await rawCarrier(t);
  const connected = connectTo(t, port);
  await untilBound(connected);
  const whole = body(`${start}024142 00`.replaceAll(' ', ''));
  sockets[0]?.write(encodePdu({ command: command.deliver, status: 0, sequence: 101, body: whole }));
  await until('it is answered', () => heard.some(({ sequence, status }) => sequence === 101 && status === 0));
  assert.equal(connected.received[0]?.body, 'AB');
});

test('a carrier that writes on after its unbind is ignored', async (t) => {
  const { port, sockets } = await rawCarrier(t);
  const connected = connectTo(t, port);
  await untilBound(connected);
  const [socket] = sockets;
  const alive = encodePdu({ command: command.enquireLink, status: 0, sequence: 1, body: nothing });
  socket?.write(encodePdu({ command: command.unbind, status: 0, sequence: 1, body: nothing }));
  const writing = setInterval(() => socket?.write(alive), 100);
  t.after(() => clearInterval(writing));
  await until('the connection is closed', () => socket?.destroyed === true || socket?.errored != null);
});

test('a response of another kind than the request settles nothing', async (t) => {
  const { port, sockets, heard } = await rawCarrier(t);
  const connected = connectTo(t, port);
  await untilBound(connected);
  const sending = connected.send();
  await until('it was handed over', () => heard.some((pdu) => pdu.command === command.submit));
  const { sequence = 0 } = heard.find((pdu) => pdu.command === command.submit) ?? {};
  const answer = { status: 0, sequence, body: body('393900') };
  sockets[0]?.write(
    Buffer.concat([
      encodePdu({ ...answer, command: command.deliverAnswer }),
      encodePdu({ ...answer, command: command.submitAnswer, body: body('616200') }),
      encodePdu({ ...answer, command: command.submitAnswer, status: 0x0b }),
    ]),
  );
  assert.deepEqual(await sending, { state: 'accepted', gatewayId: 'ab', segmentIds: ['ab'] });
});

test('a carrier that sends requests but reads no response is disconnected', async (t) => {
  const { port, sockets } = await rawCarrier(t);
  const connected = connectTo(t, port);
  await untilBound(connected);
  const [socket] = sockets;
  const many = Buffer.concat(
    Array.from({ length: 10_000 }, (_, index) =>
      encodePdu({ command: command.enquireLink, status: 0, sequence: index + 1, body: nothing }),
    ),
  );
  socket?.pause();
  while (connected.told.length === 1 && socket?.writable) {
    if (!socket.write(many)) {
      await Promise.race([once(socket, 'drain'), until('it is left', () => connected.told.length > 1)]).catch(
        () => undefined,
      );
    }
  }
  await until('it is left', () =>
    connected.told.some(({ detail }) => detail === 'The carrier reads nothing.'),
  );
});
