/** Runs the real command line as a child process. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

export interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export type Environment = Readonly<Record<string, string>>;

const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url));

/** With nothing of the caller's environment but the path. */
export async function run(args: readonly string[], env: Environment): Promise<Ran> {
  const child = spawn(process.execPath, [main, ...args], {
    env: { PATH: process.env['PATH'] ?? '', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ]);
  return { code, stdout, stderr };
}

/** Runs a command that must succeed and returns what it printed. */
export async function succeed(args: readonly string[], env: Environment): Promise<Ran> {
  const ran = await run(args, env);
  assert.equal(ran.code, 0, `pitlane ${args.join(' ')}\n${ran.stderr}`);
  return ran;
}

/** Runs a command with `--json`: standard output is one JSON value on one line, and nothing else. */
export async function json(args: readonly string[], env: Environment) {
  const { stdout } = await succeed([...args, '--json'], env);
  assert.match(stdout, /^[[{].*[\]}]\n$/);
  return JSON.parse(stdout);
}

/** Runs a command that must fail: one line on standard error, nothing on standard output. */
export async function fail(
  args: readonly string[],
  env: Environment,
  code: number,
  message: RegExp,
): Promise<void> {
  const ran = await run(args, env);
  const shown = `pitlane ${args.join(' ')}\n${ran.stdout}${ran.stderr}`;
  assert.equal(ran.code, code, shown);
  assert.equal(ran.stdout, '', shown);
  assert.match(ran.stderr, /^pitlane: [^\n]+\n$/, shown);
  assert.match(ran.stderr, message);
}
