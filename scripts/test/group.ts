/**
 * The process of some test files: they run in it one after the other, each as a suite that is named by its path. What they
 * share is loaded and compiled once, which is most of what a small file costs.
 */
import { after, afterEach, describe, mock } from 'node:test';
import { pathToFileURL } from 'node:url';
import { closeAll } from '../../test/harness/clean-up.ts';
// Their hooks are for every test of the process.
import '../../test/harness/log.ts';
import '../../test/harness/watchdog.ts';
import { recordInto, recordsSetting } from '../statements/recorder.ts';
import { cpuSoFar } from './cpu.ts';
import { cpuLine } from './results.ts';
import { seedProperties } from './seed.ts';
import { declaring, throwUncaught } from './uncaught.ts';

afterEach(throwUncaught);
await seedProperties(process.argv.slice(2));

/** The first file's includes the start of the process, and the loading of what it shares with the next ones. */
let cpuBefore = 0;

let running = '';
const records = process.env[recordsSetting];
if (records !== undefined) recordInto(records, () => running);

for (const file of process.argv.slice(2)) {
  running = file;
  await new Promise<void>((done) => {
    describe(file, async (suite) => {
      // Also called when the file can't be loaded.
      after(async () => {
        mock.reset();
        mock.timers.reset();
        await closeAll()
          .then(throwUncaught)
          .finally(() => {
            const cpu = cpuSoFar();
            suite.diagnostic(cpuLine(cpu - cpuBefore));
            cpuBefore = cpu;
            done();
          });
      });
      await declaring(() => import(pathToFileURL(file).href));
    });
  });
}
