/** Closes what a test file has opened when its tests are done, the last opened first, since later ones depend on earlier ones. */
import { after } from 'node:test';

const works: (() => Promise<unknown>)[] = [];

// For a file that is run by itself; where several share a process, `scripts/test/group.ts` calls it after each.
after(closeAll);

/** Has `work` run after the file's last test; it must do no harm when the test has done the same already. */
export function atEnd(work: () => Promise<unknown>): void {
  works.push(work);
}

/** Closes everything, also after a failure, which it then throws. */
export async function closeAll(): Promise<void> {
  const failures: unknown[] = [];
  for (const work of works.splice(0).reverse()) await work().catch((error) => failures.push(error));
  if (failures.length > 0) throw failures[0];
}
