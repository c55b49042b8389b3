/** The product with its demo, as `npm start` runs it, for scripts that look at it in a browser. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { freePorts } from '../test/harness/ports.ts';

export interface DemoServer {
  readonly url: string;
  /** Signs the demo's owner in, once. */
  readonly consoleUrl: string;
  readonly partnerId: string;
  readonly appKey: string;
  readonly secret: string;
  readonly workshopId: string;
}

/** Starts it on a free port of this machine with that folder of data, and ends it when `use` has. */
export async function withDemoServer(
  dataDir: string,
  use: (server: DemoServer) => Promise<void>,
): Promise<void> {
  const [port] = await freePorts(1);
  const program = join(fileURLToPath(new URL('..', import.meta.url)), 'bin', 'pitlane.mjs');
  const args = [program, 'serve', '--json', '--port', String(port), '--host', '127.0.0.1'];
  const server = spawn(process.execPath, args, {
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], PITLANE_DATA_DIR: dataDir },
  });
  const ended = once(server, 'exit');
  try {
    for await (const line of createInterface(server.stdout)) {
      await use(JSON.parse(line) as DemoServer);
      return;
    }
    throw new Error('the server ended before it served');
  } finally {
    server.kill('SIGTERM');
    await ended;
  }
}
