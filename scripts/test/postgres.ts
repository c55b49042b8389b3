/** The PostgreSQL servers that the tests run on. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

export interface Server {
  readonly name: string;
  /** Undefined means the embedded one. */
  readonly binDir: string | undefined;
}

const oldestMajor = 15;

/** `/usr/lib/postgresql/15/bin` and the like: where Debian, Red Hat and Homebrew put a server. */
const places = [
  { folder: '/usr/lib/postgresql', entry: /^(\d+)$/ },
  { folder: '/usr', entry: /^pgsql-(\d+)$/ },
  { folder: '/opt/homebrew/opt', entry: /^postgresql@(\d+)$/ },
];

export const embedded: Server = { name: 'PostgreSQL 18, embedded', binDir: undefined };

/** The oldest installed server that Pitlane supports, for the other end of the range. */
export function installedServer(): Server | undefined {
  const found = places.flatMap(({ folder, entry }) =>
    (existsSync(folder) ? readdirSync(folder) : []).flatMap((name) => {
      const major = Number(entry.exec(name)?.[1]);
      const binDir = join(folder, name, 'bin');
      return major >= oldestMajor && existsSync(join(binDir, 'initdb')) ? [{ major, binDir }] : [];
    }),
  );
  const oldest = found.sort((a, b) => a.major - b.major)[0];
  return oldest && { name: `PostgreSQL ${oldest.major}, installed`, binDir: oldest.binDir };
}
