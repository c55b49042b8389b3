/**
 * Runs the command line: each command as a process of its own the first time that a test file runs it, as an operator does, and
 * from then on in this process, at a twentieth of the cost.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { main } from '#commands/program.ts';
import { childEnvironment } from '../harness/child.ts';

export interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export type Environment = Readonly<Record<string, string>>;

const entry = fileURLToPath(new URL('../../src/main.ts', import.meta.url));
const seen = new Set<string>();

/** What the command is called: the words before its options and its ids. */
function nameOf(args: readonly string[]): string {
  const end = args.findIndex((arg) => !/^[a-z][a-z-]*$/.test(arg));
  return args.slice(0, end < 0 ? args.length : end).join(' ');
}

/** With nothing of the caller's environment but the path. */
export function run(args: readonly string[], env: Environment): Promise<Ran> {
  const name = nameOf(args);
  if (seen.has(name)) return runHere(args, env);
  seen.add(name);
  return runAlone(args, env);
}

/** In this process. Not for commands that start a PostgreSQL, or serve: they wait for signals to their process. */
export async function runHere(args: readonly string[], env: Environment): Promise<Ran> {
  const stdout: string[] = [];
  const stderr: string[] = [];
  const code = await main(args, env, {
    stdout: { write: (text) => stdout.push(text) },
    stderr: { write: (text) => stderr.push(text) },
  });
  return { code, stdout: stdout.join(''), stderr: stderr.join('') };
}

/** As a process of its own. */
export async function runAlone(args: readonly string[], env: Environment): Promise<Ran> {
  const child = spawn(process.execPath, [entry, ...args], {
    env: childEnvironment(env),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ]);
  return { code, stdout, stderr };
}

type How = typeof run;

/** Runs a command that must succeed and returns what it printed. */
export async function succeed(args: readonly string[], env: Environment, how: How = run): Promise<Ran> {
  const ran = await how(args, env);
  assert.equal(ran.code, 0, `pitlane ${args.join(' ')}\n${ran.stderr}`);
  return ran;
}

/** Runs a command with `--json`: standard output is one JSON value on one line, and nothing else. */
export async function json(args: readonly string[], env: Environment, how: How = run) {
  const { stdout } = await succeed([...args, '--json'], env, how);
  assert.match(stdout, /^[[{].*[\]}]\n$/);
  return JSON.parse(stdout);
}

/** Runs a command that must fail: one line on standard error, with `--json` an object, and nothing on standard output. */
export async function fail(
  args: readonly string[],
  env: Environment,
  code: number,
  message: RegExp,
  how: How = run,
): Promise<void> {
  const ran = await how(args, env);
  const shown = `pitlane ${args.join(' ')}\n${ran.stdout}${ran.stderr}`;
  assert.equal(ran.code, code, shown);
  assert.equal(ran.stdout, '', shown);
  if (args.includes('--json')) {
    assert.match(ran.stderr, /^\{"error":\{"kind":"[a-z]+","message":.*\}\}\n$/, shown);
    assert.match(JSON.parse(ran.stderr).error.message, message);
    return;
  }
  assert.match(ran.stderr, /^pitlane: [^\n]+\n$/, shown);
  assert.match(ran.stderr, message);
}
