/**
 * Loaded into every test process by `npm test`: a file that leaves a server, socket or timer open would keep the whole
 * run waiting for ever, so it is ended, and told what it left.
 */
import { after } from 'node:test';

const graceMs = 10_000;

// The runner's own process loads this file too, and has no tests.
if (process.env['NODE_TEST_CONTEXT'] !== undefined) {
  after(() => {
    setTimeout(() => {
      console.error(
        `left open ${graceMs / 1000} s after the last test: ${process.getActiveResourcesInfo().join(', ')}`,
      );
      process.exit(1);
    }, graceMs).unref();
  });
}
