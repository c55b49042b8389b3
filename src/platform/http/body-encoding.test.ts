/** Bodies are JSON in UTF-8 (RFC 8259, 8.1). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type RawResponse, rawRequest } from '../../../test/fixtures/raw-http.ts';
import { startTestApp } from '../../../test/harness/app.ts';
import { bookingBody, linkedWorkshop, signedInPartner } from '../../../test/harness/world.ts';

const app = await startTestApp();
const partner = await signedInPartner(app);
const workshopId = await linkedWorkshop(app, [partner]);

/** Sends each byte as a chunk of its own. */
function send(bytes: Buffer): Promise<RawResponse> {
  const head = [
    'POST /bookings HTTP/1.1',
    'Host: x',
    `Authorization: Bearer ${partner.token}`,
    `X-Partner-ID: ${partner.partnerId}`,
    'Content-Type: application/json',
    'Connection: close',
    'Transfer-Encoding: chunked',
  ].join('\r\n');
  const chunks = [...bytes].map((byte) => `1\r\n${String.fromCharCode(byte)}\r\n`).join('');
  return rawRequest(app.url, `${head}\r\n\r\n${chunks}0\r\n\r\n`);
}

test('400 000001 for another encoding; a character that arrives in two parts is whole', async () => {
  const body = JSON.stringify(bookingBody(workshopId, { customerName: 'Zo\u00eb' }));
  const refused = await send(Buffer.from(body, 'latin1'));
  assert.deepEqual([refused.status, refused.body.errorCode], [400, '000001']);
  assert.match(refused.body.message, /UTF-8/);
  const made = await send(Buffer.from(body));
  assert.equal(made.status, 201);
  assert.equal(made.body.booking.customer.name, 'Zo\u00eb');
});
