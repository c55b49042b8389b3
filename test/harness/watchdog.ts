/**
 * Loaded into every test process by `npm test`: a file that leaves a server, socket or timer open would keep the whole run
 * waiting for ever, so its process is ended, and the open handles are named.
 */
import { after } from 'node:test';

const graceMs = 10_000;

after(() => {
  setTimeout(() => {
    console.error(
      `left open ${graceMs / 1000} s after the last test: ${process.getActiveResourcesInfo().join(', ')}`,
    );
    process.exit(1);
  }, graceMs).unref();
});
