/** Runs the files of a run, each group in a process; where that was asked for, those that fell by waits once more, alone. */
import { compileCache } from '../../test/harness/child.ts';
import { execute } from './execute.ts';
import { mayBeForgiven } from './forgive.ts';
import type { Report } from './report.ts';
import type { FileResult } from './results.ts';

/** Failed files that may run again; when more fail, something is broken. */
export const againAtMost = 6;

type Environment = Readonly<Record<string, string | undefined>>;

export interface Groups {
  /** Runs some files in one process, and reports them; `where` names the server, where there are several. */
  runGroup(files: readonly string[], env: Environment, where?: string): Promise<void>;
  /**
   * Call when all else is done: runs what fell by waits once more, each alone, with the environment of its failure, its seed among it, and
   * reports how it then ended.
   */
  runAgain(): Promise<void>;
  /** Ends what runs, and begins nothing else; files that it cuts short have no result. */
  stop(): void;
}

export interface GroupOptions {
  readonly report: Report;
  /** Aborted when the run is to end at once. */
  readonly ended: AbortController;
  /** False runs nothing again, and goes on whatever fails. */
  readonly forgives: boolean;
  say(line: string): void;
  /** The output of the tests. */
  show(text: string): void;
}

interface Fallen {
  readonly result: FileResult;
  /** The first file of its process. */
  readonly first: string;
  readonly env: Environment;
  readonly where: string;
}

/** The file; of files that their process did not come to, the process: one that ends breaks one thing. */
const brokenBy = ({ result, first }: Fallen): string =>
  result.failures.every(({ name }) => name === '') ? `the process of ${first}` : result.file;

export function createGroups({ report, ended, forgives, say, show }: GroupOptions): Groups {
  const fallen: Fallen[] = [];
  let stopped = false;

  function stop(): void {
    stopped = true;
    ended.abort();
  }

  function fell(each: Fallen): void {
    fallen.push(each);
    const count = new Set(fallen.map(brokenBy)).size;
    if (!forgives || count <= againAtMost || ended.signal.aborted) return;
    say(`\n✖ ${count} files failed: something is broken, so the run ends here`);
    stop();
  }

  const runFiles = (files: readonly string[], env: Environment, done: (result: FileResult) => void) =>
    execute({
      ...{ files, show, signal: ended.signal },
      env: { ...process.env, NODE_COMPILE_CACHE: compileCache, ...env },
      done: (result) => stopped || done(result),
    });

  return {
    stop,
    async runGroup(files, env, where = '') {
      if (ended.signal.aborted) return;
      await runFiles(files, env, (result) => {
        report.add(result, where);
        if (result.failures.length > 0) fell({ result, env, where, first: files[0] ?? '' });
      });
    },
    async runAgain() {
      for (const { result, env, where } of forgives ? fallen : []) {
        if (ended.signal.aborted || !mayBeForgiven(result)) continue;
        say(`\nOnce more, alone: ${result.file}`);
        await runFiles([result.file], env, (second) => report.again(second, where));
      }
    },
  };
}
