/** npm packs no symbolic links: those that PostgreSQL's programs need to find their libraries are made here. */
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { EmbeddedError } from './errors.ts';

/** The temporary name of a link until it is moved to its place. */
const unfinished = '.new';

interface Link {
  /** The file that is there, relative to the package. */
  readonly source: string;
  /** The name that is missing, relative to the package and in the same folder. */
  readonly target: string;
}

function readLinks(packageDir: string): Link[] {
  return JSON.parse(readFileSync(join(packageDir, 'native', 'pg-symlinks.json'), 'utf8'));
}

/**
 * Makes the missing links in the package and returns null. Where the package can't be written, fills `linkDir` with links to
 * all libraries and returns it: it is for LD_LIBRARY_PATH. Safe to run twice, and by two processes at once.
 */
export function linkLibraries(packageDir: string, linkDir: string): string | null {
  const missing = readLinks(packageDir).filter((link) => !existsSync(join(packageDir, link.target)));
  try {
    for (const link of missing) linkTo(basename(link.source), join(packageDir, link.target));
    return null;
  } catch (error) {
    // The system removes DYLD_LIBRARY_PATH on the way through initdb's shell, so there a folder of links is no help.
    if (process.platform === 'darwin') {
      throw new EmbeddedError(
        `${packageDir} lacks links to libraries: start Pitlane once as a user who can write there`,
        {
          cause: error,
        },
      );
    }
  }
  const libDir = join(packageDir, 'native', 'lib');
  mkdirSync(linkDir, { recursive: true, mode: 0o755 });
  for (const name of readdirSync(libDir))
    if (name.includes('.so') && !name.endsWith(unfinished)) linkTo(join(libDir, name), join(linkDir, name));
  for (const { source, target } of missing) linkTo(join(packageDir, source), join(linkDir, basename(target)));
  return linkDir;
}

const attemptsAtMost = 20;

/**
 * Leaves a right link alone and replaces a wrong one in one step, since a running PostgreSQL may be using it. What a killed start left
 * of its own replacement is in nobody's way; where two starts make the same one, the slower finds it made, or tries again.
 */
function linkTo(source: string, path: string): void {
  const temporary = `${path}${unfinished}`;
  for (let attempt = 1; pointsTo(path) !== source; attempt++) {
    try {
      rmSync(temporary, { force: true });
      symlinkSync(source, temporary);
      renameSync(temporary, path);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      const isOthers = code === 'EEXIST' || code === 'ENOENT';
      if (!isOthers || attempt >= attemptsAtMost) throw error;
    }
  }
}

function pointsTo(path: string): string | null {
  try {
    return readlinkSync(path);
  } catch {
    return null;
  }
}
