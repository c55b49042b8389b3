/** Processes that keep cores busy. They end with the one that started them, also when that is killed. */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const program = fileURLToPath(new URL('busy-core.mjs', import.meta.url));

/** Starts that many; call the result to end them. */
export function keepBusy(cores: number): () => void {
  const children = Array.from({ length: cores }, () =>
    spawn(process.execPath, [program], { stdio: ['ignore', 'ignore', 'ignore', 'ipc'] }),
  );
  for (const child of children) {
    child.unref();
    child.channel?.unref();
  }
  return () => {
    for (const child of children) child.kill('SIGKILL');
  };
}
