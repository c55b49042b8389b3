/** Bytes that are no valid HTTP request. */
import fc, { type Arbitrary } from 'fast-check';

const lines = (...all: string[]) => `${all.join('\r\n')}\r\n\r\n`;

/** Each character is a byte. */
export function brokenHttp(host: string): Arbitrary<string> {
  const known = [`Host: ${host}`, 'Connection: close'];
  const json = 'Content-Type: application/json';
  const heads = fc.constantFrom(
    lines('GET / HTTP/9.9', ...known),
    lines('GET / HTTP/1.1', 'Connection: close'),
    lines('GET /health/live HTTP/1.0'),
    lines('get /health/live HTTP/1.1', ...known),
    lines('BREW /bookings HTTP/1.1', ...known),
    lines('GET  /health/live  HTTP/1.1', ...known),
    lines('GET /a b c HTTP/1.1', ...known),
    lines('GET', ...known),
    lines('GET http://elsewhere.example/health/live HTTP/1.1', ...known),
    lines('GET * HTTP/1.1', ...known),
    lines('OPTIONS * HTTP/1.1', ...known),
    lines('CONNECT elsewhere.example:443 HTTP/1.1', ...known),
    lines('TRACE /bookings HTTP/1.1', ...known),
    lines('PATCH /bookings HTTP/1.1', ...known),
    lines('QUERY /bookings HTTP/1.1', ...known),
    lines('DELETE /workshops HTTP/1.1', ...known),
    lines('PRI * HTTP/2.0', '', 'SM'),
    lines('GET /health/live HTTP/1.1', ...known, 'no colon'),
    lines('GET /health/live HTTP/1.1', ...known, 'X\0Y: 1'),
    lines('GET /health/live HTTP/1.1', ...known, 'X-A: a\x00b'),
    lines('GET /health/live HTTP/1.1', ...known, ' folded: 1'),
    lines('GET /health/live HTTP/1.1', ...known, `X-A: ${'x'.repeat(20_000)}`),
    lines('GET /health/live HTTP/1.1', ...known, 'Host: twice.example'),
    lines('GET /health/live HTTP/1.1', 'Host: \xff\xfe', 'Connection: close'),
    lines('GET /health/live HTTP/1.1', ...known, 'Upgrade: h2c', 'HTTP2-Settings: AAMAAABkAAQAAP__'),
    lines('POST /bookings HTTP/1.1', ...known, json, 'Content-Length: -1'),
    lines('POST /bookings HTTP/1.1', ...known, json, 'Content-Length: 1', 'Content-Length: 2'),
    lines('POST /bookings HTTP/1.1', ...known, json, 'Content-Length: 99999999999999999999'),
    lines('POST /bookings HTTP/1.1', ...known, json, 'Content-Length: 2', 'Transfer-Encoding: chunked'),
    `${lines('POST /bookings HTTP/1.1', ...known, json, 'Transfer-Encoding: chunked')}zz\r\n`,
    `${lines('POST /bookings HTTP/1.1', ...known, json, 'Transfer-Encoding: chunked')}ffffffffffffffffff\r\n`,
    lines('POST /bookings HTTP/1.1', ...known, json, 'Transfer-Encoding: gzip, chunked'),
    lines('POST /bookings HTTP/1.1', ...known, json, 'Expect: the-spanish-inquisition'),
    `${lines('POST /bookings HTTP/1.1', ...known, json, 'Content-Length: 2')}{}{}{}`,
    '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
    '\r\n\r\n\r\n',
    '\0\0\0\0\r\n\r\n',
  );
  const spoilt = fc
    .tuple(
      heads,
      fc.nat(),
      fc.constantFrom('\0', '\r', '\n', '\r\n', ' ', '\t', ':', '\x7f', '\xff', '%', '\x1b'),
    )
    .map(([head, place, piece]) => {
      const at = place % head.length;
      return head.slice(0, at) + piece + head.slice(at);
    });
  // The request always ends, so that the server does not wait for more.
  return fc.oneof(heads, spoilt).map((text) => `${text}\r\n\r\n`);
}
