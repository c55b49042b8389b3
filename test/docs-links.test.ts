/** Every target of the pages' links exists: pages, headings, and paths of the repository. */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { anchorOf } from '#operation/reference/markdown.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const inFolder = (folder: string) =>
  readdirSync(join(root, folder), { encoding: 'utf8', recursive: folder !== '.' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(folder, name));
const pages = [...inFolder('.'), ...inFolder('docs'), ...inFolder('packages')].map((path) => ({
  path,
  text: readFileSync(join(root, path), 'utf8'),
}));

const anchorsOf = (text: string) =>
  [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => anchorOf(heading));

test('links lead to files and headings that exist', () => {
  const broken = pages.flatMap(({ path, text }) =>
    [...text.matchAll(/\]\(([^)\s]+)\)/g)]
      .map(([, target = '']) => target)
      .filter((target) => !/^[a-z]+:/.test(target))
      .filter((target) => {
        const [file = '', anchor] = target.split('#');
        const linked = file === '' ? path : join(dirname(path), file);
        if (!existsSync(join(root, linked))) return true;
        return anchor !== undefined && !anchorsOf(readFileSync(join(root, linked), 'utf8')).includes(anchor);
      })
      .map((target) => `${path}: ${target}`),
  );
  assert.deepEqual(broken, []);
});

test('files of the repository that a page names exist', () => {
  const named = /`((?:src|packages|test|scripts|migrations|bench|bin|docs)\/[\w./-]*)`/g;
  const missing = pages.flatMap(({ path, text }) =>
    [...text.matchAll(named)]
      .map(([, file = '']) => file)
      .filter((file) => !existsSync(join(root, file)))
      .map((file) => `${path}: ${file}`),
  );
  assert.deepEqual(missing, []);
});
