/** Rules for every response, and the promises of the document for this operation's responses. */
import assert from 'node:assert/strict';
import type { DocumentedResponse, Operation } from './document.ts';
import type { RawResponse } from './exchange.ts';
import type { FuzzRequest } from './request.ts';

/** Statuses of requests that reach no operation. */
const strayStatuses = [400, 404, 405, 408, 413, 414, 415, 431];
/** A request that is refused before authentication. */
const unreadStatuses = [400, 408, 413, 414, 415, 431];

/** Throws unless any request may get the response: no 5xx, and errors in their one form. */
export function checkAnyResponse(answer: RawResponse, requestId?: string): void {
  const { status, headers } = answer;
  assert.ok(status >= 200 && status < 500, `status ${status}: ${answer.body}`);
  assert.ok(headers.get('x-request-id'), `${status} has no X-Request-Id`);
  // Headers that are too large have not been read.
  if (requestId !== undefined && status !== 431) assert.equal(headers.get('x-request-id'), requestId);
  if (status >= 400) checkError(answer);
}

function checkError({ status, headers, body }: RawResponse): void {
  assert.match(headers.get('content-type') ?? '', /^application\/json\b/, `${status}: ${body}`);
  const error = JSON.parse(body.toString());
  assert.equal(error.success, false);
  assert.equal(error.requestId, headers.get('x-request-id'), 'the request id of body and header');
  assert.ok(error.message, 'an error has a message');
  assert.equal('errorCode' in error, status !== 429, 'only 429 carries no errorCode');
  assert.doesNotMatch(
    body.toString(),
    /node_modules|\.ts:\d|at async |SELECT |INSERT |pg_|ECONN/,
    'nothing internal',
  );
  if (status === 401) assert.match(headers.get('www-authenticate') ?? '', /^Bearer\b/);
  if (status === 405) assert.ok(headers.get('allow'), '405 has Allow');
  if (status === 429) assert.match(headers.get('retry-after') ?? '', /^[1-9]\d*$/);
}

/** Throws unless the operation's document promises the response for the request. */
export function checkResponse(operation: Operation, request: FuzzRequest, answer: RawResponse): void {
  checkAnyResponse(answer, saneRequestId(request));
  const { status } = answer;
  const promised = operation.answers.get(status);
  if (!request.isIntact) {
    assert.ok(promised || strayStatuses.includes(status), `${operation.id} answered ${status}`);
    return;
  }
  assert.ok(promised, `${operation.id} answered ${status}, which its document does not name: ${answer.body}`);
  checkPromise(operation, answer, promised);
  if (!operation.needsSignIn || request.signedIn === null) return;
  const isRefused = status === 401 || unreadStatuses.includes(status);
  if (request.signedIn) assert.notEqual(status, 401, `refused although signed in: ${answer.body}`);
  else assert.ok(isRefused, `answered ${status} without being signed in: ${answer.body}`);
}

function checkPromise({ id }: Operation, answer: RawResponse, promised: DocumentedResponse): void {
  const { status, headers } = answer;
  const text = answer.body.toString();
  const type = headers.get('content-type')?.split(';')[0] ?? '';
  if (promised.types.length > 0)
    assert.ok(promised.types.includes(type), `${id} ${status} came as "${type}"`);
  for (const name of promised.headers) assert.ok(headers.has(name), `${id} ${status} has no ${name}`);
  if (type !== 'application/json') return;
  const body = JSON.parse(text);
  assert.equal(promised.check(body), null, `${id} ${status} is not what the document says: ${text}`);
  if (body.errorCode !== undefined) {
    assert.ok(promised.codes.has(body.errorCode), `${id} ${status} has the code ${body.errorCode}: ${text}`);
  }
}

/** The id that was sent, when it is one that must come back; the headers of a request without a readable target are not read. */
function saneRequestId({ headers, target }: FuzzRequest): string | undefined {
  const [sent, another] = headers.filter(([name]) => name === 'x-request-id').map(([, value]) => value);
  const isSane = sent !== undefined && another === undefined && /^[A-Za-z0-9._:-]{1,128}$/.test(sent);
  return isSane && /^[\x21-\x7e]+$/.test(target) ? sent : undefined;
}
