/** What the pages refer to exists: pages, headings, files of the repository, and what is declared in them. */
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
const pages = [...inFolder('.'), ...inFolder('docs'), ...inFolder('packages'), ...inFolder('clients')].map(
  (path) => ({
    path,
    text: readFileSync(join(root, path), 'utf8'),
  }),
);

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
  const named = /`((?:src|packages|test|scripts|migrations|bench|bin|docs|clients)\/[\w./-]*)`/g;
  const missing = pages.flatMap(({ path, text }) =>
    [...text.matchAll(named)]
      .map(([, file = '']) => file)
      .filter((file) => !existsSync(join(root, file)))
      .map((file) => `${path}: ${file}`),
  );
  assert.deepEqual(missing, []);
});

/** `follow.mjs`, `places/rules.ts`: sources that a page names by the end of their path. */
test('files that a page names by a part of their path exist', () => {
  const sources = ['src', 'packages', 'test', 'scripts', 'bench', 'bin', 'clients', 'deploy']
    .flatMap((folder) =>
      readdirSync(join(root, folder), { encoding: 'utf8', recursive: true }).map((name) =>
        join(folder, name),
      ),
    )
    .map((path) => `/${path}`);
  const missing = pages
    // What they say of an earlier state was true then.
    .filter(({ path }) => path !== 'CHANGELOG.md' && !path.startsWith('docs/decisions/'))
    .flatMap(({ path, text }) =>
      [...text.matchAll(/`([\w-][\w./-]*\.(?:ts|mjs|css))`/g)]
        .map(([, file = '']) => file)
        .filter((file) => !sources.some((source) => source.endsWith(`/${file}`)))
        .map((file) => `${path}: ${file}`),
    );
  assert.deepEqual(missing, []);
});

test('what a page names as part of a file is declared in it', () => {
  const declared =
    /((?:`\w+(?:\(\))?`(?:, | and ))*`\w+(?:\(\))?`)\s+of\s+`((?:src|test|scripts)\/[\w./-]+\.(?:ts|mjs))`/g;
  const missing = pages.flatMap(({ path, text }) =>
    [...text.matchAll(declared)].flatMap(([, names = '', file = '']) => {
      const source = existsSync(join(root, file)) ? readFileSync(join(root, file), 'utf8') : '';
      return [...names.matchAll(/`(\w+)/g)]
        .filter(
          ([, name]) => !new RegExp(`\\b(?:function|const|interface|type|class) ${name}\\b`).test(source),
        )
        .map(([, name]) => `${path}: ${name} of ${file}`);
    }),
  );
  assert.deepEqual(missing, []);
});
