/** Runs the command line in the tests' process; `process.test.ts` shows that `pitlane` as a process does the same. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { noEnvFile } from '#base/config/env-file.ts';
import { processEnvironment } from '#base/config.ts';
import { main } from '#commands/program.ts';
import { childEnvironment, shortLived } from '../harness/child.ts';

export interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export type Environment = Readonly<Record<string, string>>;

const entry = fileURLToPath(new URL('../../src/main.ts', import.meta.url));

const withoutFile = (env: Environment) => ({ env, envFile: noEnvFile });

/**
 * In this process, with nothing of the caller's environment. Not for commands that start a PostgreSQL, or serve, since they wait for
 * signals to their process; nor for those that read standard input.
 */
export async function runHere(args: readonly string[], given: Environment): Promise<Ran> {
  const stdout: string[] = [];
  const stderr: string[] = [];
  // Without one a `.env` of the folder that the tests run in would be read.
  const { env, envFile } = given['PITLANE_ENV_FILE'] ? processEnvironment(given) : withoutFile(given);
  const code = await main(args, env, {
    stdout: { write: (text) => stdout.push(text) },
    stderr: { write: (text) => stderr.push(text) },
    envFile,
  });
  return { code, stdout: stdout.join(''), stderr: stderr.join('') };
}

/** As a process of its own, with nothing of the caller's environment but the path; `input` is its standard input. */
export async function runAlone(args: readonly string[], env: Environment, input = ''): Promise<Ran> {
  const child = spawn(process.execPath, [...shortLived, entry, ...args], { env: childEnvironment(env) });
  child.stdin.end(input);
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ]);
  return { code, stdout, stderr };
}

type How = (args: readonly string[], env: Environment) => Promise<Ran>;

/** Runs a command that must succeed and returns what it printed. */
export async function succeed(args: readonly string[], env: Environment, how: How = runHere): Promise<Ran> {
  const ran = await how(args, env);
  assert.equal(ran.code, 0, `pitlane ${args.join(' ')}\n${ran.stderr}`);
  return ran;
}

/** Runs a command with `--json`: standard output is one JSON value on one line, and nothing else. */
export async function json(args: readonly string[], env: Environment, how: How = runHere) {
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
  how: How = runHere,
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
