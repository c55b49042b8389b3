/** Compiles `clients/typescript/src/` to `clients/typescript/dist/`, which installations serve as a package: they have no compiler. */
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const root = fileURLToPath(new URL('../../', import.meta.url));
const folder = 'clients/typescript';

/** The texts by the files' names, from the project's folder. Rejects with the compiler's words. */
export async function compileClient(): Promise<Readonly<Record<string, string>>> {
  const place = await mkdtemp(join(tmpdir(), 'pitlane-client-'));
  try {
    const tsc = join(root, 'node_modules/.bin/tsc');
    await promisify(execFile)(tsc, ['-p', folder, '--outDir', place], { cwd: root }).catch(({ stdout }) => {
      throw new Error(stdout);
    });
    const names = (await readdir(place)).sort();
    const texts = await Promise.all(names.map((name) => readFile(join(place, name), 'utf8')));
    return Object.fromEntries(
      names.map((name, at) => [`${folder}/dist/${name}`, withJsImports(texts[at] ?? '')]),
    );
  } finally {
    await rm(place, { recursive: true });
  }
}

/** The compiler leaves `.ts` in declarations, which older compilers refuse. */
const withJsImports = (text: string) => text.replaceAll(/(from '\.\/\w+)\.ts'/g, "$1.js'");
