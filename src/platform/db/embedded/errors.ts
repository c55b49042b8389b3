/** Errors of the embedded PostgreSQL: each is one line for a person, which names the folder and what to do. */

/** The embedded PostgreSQL can't be used. */
export class EmbeddedError extends Error {}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

/** The file system of the data folder has no room, or its user's quota is used up. */
export function fullDisk(dataDir: string, cause?: unknown): EmbeddedError {
  return new EmbeddedError(
    `the file system of the data folder ${dataDir} is full: make room; nothing has to be repaired`,
    { cause },
  );
}

/** Whether PostgreSQL's programs say so. */
export function saysFullDisk(output: string): boolean {
  return /No space left on device|Disk quota exceeded|not enough space/.test(output);
}

/**
 * Turns what the operating system says about a folder into an EmbeddedError; other errors stay as they are, those of a connection
 * among them: a socket that is not there is no folder that can't be made.
 */
export function explain(error: unknown, folder: string): unknown {
  if (error instanceof Error && 'syscall' in error && error.syscall === 'connect') return error;
  const choose = 'make it writable, or choose another folder with PITLANE_DATA_DIR';
  switch (codeOf(error)) {
    case 'EACCES':
    case 'EPERM':
      return new EmbeddedError(`the data folder ${folder} can't be used by this user; ${choose}`, {
        cause: error,
      });
    // Node says ENOENT where a folder can't be made on a read-only file system.
    case 'ENOENT':
    case 'EROFS':
      return new EmbeddedError(`the data folder ${folder} can't be made or written there; ${choose}`, {
        cause: error,
      });
    case 'ENOTDIR':
    case 'EEXIST':
      return new EmbeddedError(
        `the data folder ${folder} is not a folder: choose another with PITLANE_DATA_DIR`,
        {
          cause: error,
        },
      );
    case 'ENOSPC':
    case 'EDQUOT':
      return fullDisk(folder, error);
    default:
      return error;
  }
}
