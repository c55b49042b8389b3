/** The links between libraries, which npm does not pack. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { promisify } from 'node:util';
import { isRoot, makeFolder, nobody } from '../../../../test/fixtures/embedded.ts';
import { embeddedBinaries } from './binaries.ts';
import { linkLibraries } from './libraries.ts';

function makePackage(t: TestContext): { packageDir: string; lib: string; linkDir: string } {
  const folder = makeFolder(t);
  const packageDir = join(folder, 'package');
  const lib = join(packageDir, 'native', 'lib');
  mkdirSync(lib, { recursive: true });
  for (const name of ['libone.so.1.2', 'libtwo.so.3']) writeFileSync(join(lib, name), name);
  const links = [
    { source: 'native/lib/libone.so.1.2', target: 'native/lib/libone.so.1' },
    { source: 'native/lib/libone.so.1.2', target: 'native/lib/libone.so' },
  ];
  writeFileSync(join(packageDir, 'native', 'pg-symlinks.json'), JSON.stringify(links));
  return { packageDir, lib, linkDir: join(folder, 'writable', 'links') };
}

test('missing links are made in the package, once', (t) => {
  const { packageDir, lib, linkDir } = makePackage(t);
  for (const round of ['first', 'second']) {
    assert.equal(linkLibraries(packageDir, linkDir), null, round);
    assert.deepEqual(readdirSync(lib).sort(), ['libone.so', 'libone.so.1', 'libone.so.1.2', 'libtwo.so.3']);
    assert.equal(readFileSync(join(lib, 'libone.so.1'), 'utf8'), 'libone.so.1.2');
  }
});

test('what a start that was killed left half done is in nobody’s way, whichever id it had', (t) => {
  const { packageDir, lib, linkDir } = makePackage(t);
  for (const name of ['libone.so.1', 'libone.so']) {
    for (const end of ['new', process.pid]) symlinkSync('elsewhere', join(lib, `${name}.${end}`));
  }
  assert.equal(linkLibraries(packageDir, linkDir), null);
  for (const name of ['libone.so.1', 'libone.so'])
    assert.equal(readlinkSync(join(lib, name)), 'libone.so.1.2');
});

test('starts at the same time make the same links', async (t) => {
  const { packageDir, lib, linkDir } = makePackage(t);
  const program = `
    import { linkLibraries } from ${JSON.stringify(new URL('libraries.ts', import.meta.url).href)};
    linkLibraries(...process.argv.slice(1));`;
  const run = () =>
    promisify(execFile)(process.execPath, ['--input-type=module', '-e', program, packageDir, linkDir]);
  await Promise.all([run(), run(), run()]);
  assert.equal(readFileSync(join(lib, 'libone.so'), 'utf8'), 'libone.so.1.2');
});

const skip = process.platform === 'darwin' && 'there it is refused';
test('a package that cannot be written gets a folder of links beside it, which is kept right', {
  skip,
}, (t) => {
  const { packageDir, lib, linkDir } = makePackage(t);
  mkdirSync(join(linkDir, '..'));
  chmodSync(join(linkDir, '..'), 0o777);
  chmodSync(lib, 0o555);
  const asUser = (work: () => void) => {
    if (isRoot) process.seteuid?.(nobody.uid);
    try {
      work();
    } finally {
      if (isRoot) process.seteuid?.(0);
    }
  };
  for (const round of ['first', 'second']) {
    asUser(() => assert.equal(linkLibraries(packageDir, linkDir), linkDir, round));
    assert.deepEqual(readdirSync(linkDir).sort(), [
      'libone.so',
      'libone.so.1',
      'libone.so.1.2',
      'libtwo.so.3',
    ]);
    assert.equal(readFileSync(join(linkDir, 'libone.so.1'), 'utf8'), 'libone.so.1.2');
  }
  // The project was moved: the links follow.
  const moved = makePackage(t);
  chmodSync(moved.lib, 0o555);
  asUser(() => assert.equal(linkLibraries(moved.packageDir, linkDir), linkDir));
  assert.equal(readlinkSync(join(linkDir, 'libone.so')), join(moved.lib, 'libone.so.1.2'));
});

test('a system without the loader that the programs name: one line says what to do', (t) => {
  const folder = makeFolder(t);
  assert.throws(() => embeddedBinaries(folder, join(folder, 'ld-linux.so')), /glibc.*Alpine.*DATABASE_URL/);
});
