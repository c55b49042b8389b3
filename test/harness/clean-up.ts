/** What a test file has opened is closed when its tests are done: the last opened first, as each stands on those before. */
import { after } from 'node:test';

const works: (() => Promise<unknown>)[] = [];

after(async () => {
  const failures: unknown[] = [];
  for (const work of works.reverse()) await work().catch((error) => failures.push(error));
  if (failures.length > 0) throw failures[0];
});

/** Has `work` run after the file's last test; it must do no harm when the test has done the same already. */
export function atEnd(work: () => Promise<unknown>): void {
  works.push(work);
}
