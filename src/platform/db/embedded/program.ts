/** Starting one of PostgreSQL's programs so that it does not outlive this process. */
import { type ChildProcess, type StdioOptions, spawn, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import type { Account } from './account.ts';
import type { Binaries } from './binaries.ts';

export interface Program {
  readonly name: 'initdb' | 'postgres';
  readonly args: readonly string[];
  readonly binaries: Binaries;
  readonly account: Account;
  /** The signal that the kernel sends to the program when this process dies, where it can. */
  readonly deathSignal: 'INT' | 'KILL';
  readonly stdio: StdioOptions;
}

let canFollow: boolean | undefined;

/**
 * Starts the program in a session of its own, so that Ctrl-C reaches only this process. Call it on the main thread: the
 * kernel's death signal follows the thread that made the child.
 */
export function startProgram(program: Program): ChildProcess {
  const { binaries, account } = program;
  canFollow ??=
    spawnSync('setpriv', ['--pdeathsig', 'INT', 'true'], { env: binaries.env, stdio: 'ignore' }).status === 0;
  // After the change of user, which would clear the signal.
  const follow = canFollow ? ['setpriv', '--pdeathsig', program.deathSignal, '--'] : [];
  const [file = '', ...args] = [
    ...account.prefix,
    ...follow,
    join(binaries.binDir, program.name),
    ...program.args,
  ];
  return spawn(file, args, {
    ...account.ids,
    cwd: '/',
    env: binaries.env,
    stdio: program.stdio,
    detached: true,
  });
}
