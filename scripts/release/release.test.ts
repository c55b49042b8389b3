/** The release script, in a clone of its own. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { StepFailed } from '../test/checks.ts';
import { releaseSection } from './changelog.ts';
import { release } from './release.ts';

const page = '# Changelog\n\nNewest first.\n\n## Unreleased\n\n- A thing.\n';

function makeClone(t: TestContext) {
  const root = mkdtempSync(join(tmpdir(), 'pitlane-release-'));
  t.after(() => rmSync(root, { recursive: true, force: true }));
  const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();
  const write = (name: string, text: string) => writeFileSync(join(root, name), text);
  const read = (name: string) => readFileSync(join(root, name), 'utf8');
  const commit = () => {
    git('add', '.');
    git('commit', '--quiet', '--message', 'A change');
  };
  git('init', '--quiet');
  git('config', 'user.name', 'A person');
  git('config', 'user.email', 'person@fleet.example');
  const manifest = { name: 'small', version: '0.1.0' };
  write('package.json', `${JSON.stringify(manifest, null, 2)}\n`);
  write(
    'package-lock.json',
    `${JSON.stringify({ ...manifest, lockfileVersion: 3, packages: { '': manifest } }, null, 2)}\n`,
  );
  mkdirSync(join(root, 'clients', 'typescript'), { recursive: true });
  write(
    'clients/typescript/package.json',
    `${JSON.stringify({ name: 'client', version: '0.1.0', type: 'module' })}\n`,
  );
  write('openapi.json', '0.1.0');
  write('CHANGELOG.md', page);
  commit();
  const makeMirrors = () => write('openapi.json', JSON.parse(read('package.json')).version);
  const make = (bump: string, mirrors = makeMirrors) =>
    release({ root, bump, date: '2026-11-22', makeMirrors: mirrors });
  return { git, write, read, commit, make };
}

test('the version that was never released, and then the next: every file, one commit, one tag', (t) => {
  const { git, write, read, commit, make } = makeClone(t);
  assert.equal(make('0.1.0'), '0.1.0');
  assert.match(read('CHANGELOG.md'), /^## Unreleased\n\n## 0\.1\.0 \(2026-11-22\)\n\n- A thing\.\n$/m);
  write('CHANGELOG.md', read('CHANGELOG.md').replace('## Unreleased\n', '## Unreleased\n\n- Another.\n'));
  commit();

  assert.equal(make('minor'), '0.2.0');
  for (const name of ['package.json', 'clients/typescript/package.json'])
    assert.equal(JSON.parse(read(name)).version, '0.2.0');
  const lock = JSON.parse(read('package-lock.json'));
  assert.deepEqual([lock.version, lock.packages[''].version], ['0.2.0', '0.2.0']);
  assert.equal(read('openapi.json'), '0.2.0');
  assert.match(read('CHANGELOG.md'), /## 0\.2\.0 \(2026-11-22\)\n\n- Another\.\n\n## 0\.1\.0 /);
  assert.equal(git('status', '--porcelain'), '');
  assert.equal(git('log', '-1', '--format=%s'), 'Release 0.2.0');
  assert.equal(git('tag', '--list', '--points-at', 'HEAD'), 'v0.2.0');
});

test('what is in the way is said, and no file changes', (t) => {
  const { git, write, read, make } = makeClone(t);
  const head = git('rev-parse', 'HEAD');
  const refuses = (bump: string, reason: RegExp, mirrors?: () => void) => {
    const before = git('status', '--porcelain');
    assert.throws(
      () => make(bump, mirrors),
      (error) => error instanceof StepFailed && reason.test(error.message),
    );
    assert.equal(git('status', '--porcelain'), before);
  };
  refuses('next', /next is neither patch/);
  refuses('minor', /no database/, () => {
    throw new StepFailed('no database');
  });
  git('tag', 'v0.2.0');
  refuses('minor', /tag v0\.2\.0 already/);
  write('package.json', `${read('package.json')}\n`);
  refuses('patch', /commit these first[\s\S]*package\.json/);
  git('restore', '.');
  assert.equal(git('rev-parse', 'HEAD'), head);
});

test('the changelog has one section of what is unreleased, and each version once', () => {
  const section = (text: string) => releaseSection(text, '0.1.0', '2026-11-22');
  assert.throws(() => section('# Changelog\n'), /one section/);
  assert.throws(() => section(`${page}\n## Unreleased\n`), /one section/);
  assert.throws(() => section(page.replace('- A thing.\n', '')), /nothing under/);
  assert.throws(() => section(`${page}\n## 0.1.0 (2026-01-01)\n\n- Old.\n`), /0\.1\.0 already/);
  assert.doesNotThrow(() => section(`${page}\n## 0.0.1 (2026-01-01)\n\n- Old.\n`));
});

test('the changelog of this repository has such a section', () => {
  const own = readFileSync(new URL('../../CHANGELOG.md', import.meta.url), 'utf8');
  assert.equal(own.match(/^## Unreleased$/gm)?.length, 1);
});
