/** Load over HTTP from a child process, and the requests it sends. */
import { fork } from 'node:child_process';
import type { Load, LoadResult } from './load.ts';

export function httpLoad(load: Load): Promise<LoadResult> {
  return new Promise((resolve, reject) => {
    const child = fork(new URL('./load.ts', import.meta.url));
    child.on('message', (result) => {
      const found = result as LoadResult;
      if (found.unexpected > 0)
        reject(
          new Error(
            `${found.unexpected} answers were not ${load.expectedStatus}; the first was ${found.firstUnexpected}`,
          ),
        );
      else resolve(found);
    });
    child.on('error', reject);
    child.send(load);
  });
}

export interface Caller {
  readonly partnerId: string;
  readonly token: string;
}

export function rawRequest(caller: Caller, method: string, path: string, body?: object): string {
  const text = body === undefined ? '' : JSON.stringify(body);
  const head = [
    `${method} ${path} HTTP/1.1`,
    'Host: localhost',
    `Authorization: Bearer ${caller.token}`,
    `X-Partner-ID: ${caller.partnerId}`,
    ...(body === undefined
      ? []
      : ['Content-Type: application/json', `Content-Length: ${Buffer.byteLength(text)}`]),
  ];
  return `${head.join('\r\n')}\r\n\r\n${text}`;
}

export async function signIn(
  port: number,
  credentials: { partnerId: string; appKey: string; secret: string },
): Promise<Caller> {
  const { partnerId, appKey, secret } = credentials;
  const response = await fetch(`http://127.0.0.1:${port}/auth/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-partner-id': partnerId },
    body: JSON.stringify({ appKey, secret }),
  });
  const { token } = (await response.json()) as { token: string };
  return { partnerId, token };
}
