/** The mutations themselves; `npm run mutants` looks whether they are noticed. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, globSync } from 'node:fs';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import { mutants } from './mutants.ts';

const root = join(import.meta.dirname, '../..');
const lacksGit = spawnSync('git', ['--version']).status !== 0 && 'this machine has no git';

test('each has a patch of its own, and a test that is there', () => {
  const patches = globSync(join(import.meta.dirname, '*.patch')).map((path) => basename(path, '.patch'));
  assert.deepEqual(patches.toSorted(), mutants.map(({ name }) => name).toSorted());
  assert.deepEqual(
    mutants.filter((mutant) => !mutant.test.endsWith('.test.ts') || !existsSync(join(root, mutant.test))),
    [],
  );
  assert.ok(mutants.length >= 30);
});

test('each patch applies: who changes the code that it breaks makes it again', { skip: lacksGit }, () => {
  const failed = mutants.flatMap(({ name }) => {
    const { status, stderr } = spawnSync('git', ['apply', '--check', join('test/mutants', `${name}.patch`)], {
      cwd: root,
      encoding: 'utf8',
    });
    return status === 0 ? [] : [stderr];
  });
  assert.deepEqual(failed, []);
});
