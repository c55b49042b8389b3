/** Closes what a test file has opened when its tests are done, the last opened first, since later ones depend on earlier ones. */
import { after } from 'node:test';

type Work = () => Promise<unknown>;

const works: Work[] = [];
const lastWorks: Work[] = [];

// For a file that is run by itself; where several share a process, `scripts/test/group.ts` calls it after each.
after(closeAll);
after(() => runAll(lastWorks));

/** Has `work` run after the file's last test; it must do no harm when the test has done the same already. */
export function atEnd(work: Work): void {
  works.push(work);
}

/** Has `work` run after the last file of the process: for programs that serve one file after the other, and remember none of them. */
export function atProcessEnd(work: Work): void {
  lastWorks.push(work);
}

/** Closes everything of a file, also after a failure, which it then throws. */
export function closeAll(): Promise<void> {
  return runAll(works);
}

async function runAll(all: Work[]): Promise<void> {
  const failures: unknown[] = [];
  for (const work of all.splice(0).reverse()) await work().catch((error) => failures.push(error));
  if (failures.length > 0) throw failures[0];
}
