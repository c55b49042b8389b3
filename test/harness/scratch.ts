/** Where tests make folders of files that they write much to. */
import { accessSync, constants, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';

/**
 * Memory where there is a file system in it with room, else the disk. The data of a PostgreSQL is made and copied there for a tenth to a
 * half of what it costs on a disk.
 */
export function scratchFolder(): string {
  const memory = '/dev/shm';
  const roomBytes = 2 * 1024 ** 3;
  try {
    accessSync(memory, constants.W_OK);
    const { bavail, bsize } = statfsSync(memory);
    return bavail * bsize >= roomBytes ? memory : tmpdir();
  } catch {
    return tmpdir();
  }
}
