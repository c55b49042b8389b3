/** GET /docs/client.tgz: `@pitlane/client` of this version, to be installed from this installation. */
import { readdir, readFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { pack } from 'tar-stream';

export const clientPackagePath = '/docs/client.tgz';

const project = new URL('../../../', import.meta.url);
const folder = new URL('clients/typescript/', project);

let made: Promise<Buffer> | undefined;

/** Made at the first request. It is the same on every process of a version, as lock files have its checksum. */
export function clientPackage(): Promise<Buffer> {
  made ??= makePackage().catch((error) => {
    made = undefined;
    throw error;
  });
  return made;
}

async function makePackage(): Promise<Buffer> {
  const compiled = (await readdir(new URL('dist/', folder))).sort().map((name) => `dist/${name}`);
  const files = ['package.json', 'README.md', ...compiled].map(
    (name) => [name, new URL(name, folder)] as const,
  );
  const tar = pack();
  for (const [name, path] of [...files, ['LICENSE', new URL('LICENSE', project)] as const]) {
    // npm takes what is in the folder "package".
    tar.entry({ name: `package/${name}`, mode: 0o644, mtime: new Date(0) }, await readFile(path));
  }
  tar.finalize();
  return promisify(gzip)(await buffer(tar));
}
