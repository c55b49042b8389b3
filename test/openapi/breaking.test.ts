/** openapi.json keeps what the last release promised; and the check finds each kind of break, tried on the document itself. */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import fc from 'fast-check';
import type { ApiDocument } from '../../scripts/api-document.ts';
import { breakingChanges } from '../../scripts/contract/breaking.ts';
import { contractOf, mayBreak, recordRelease, unaccepted } from '../../scripts/contract/release.ts';
import { StepFailed } from '../../scripts/test/checks.ts';
import { additions, breaks, type Loose, schemaOf } from './document-changes.ts';

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const released: ApiDocument = JSON.parse(read('test/openapi/released.json'));
const text = read('openapi.json');
const document: ApiDocument = JSON.parse(text);

test('what the last release promised holds, or the changelog says what is broken', () => {
  const found = unaccepted(breakingChanges(released, document), read('CHANGELOG.md'));
  assert.deepEqual(
    found.map(({ operationId, what }) => `${operationId}: ${what}`),
    [],
    'Take these back, or accept them: an entry "- **Breaking**: `operationId` …" under Unreleased in CHANGELOG.md, and a larger version at the release.',
  );
});

/** The breaks that a change of the document makes; of one operation, where it is named. */
function breaksOf(change: (changed: Loose) => void, of?: string): string[] {
  const changed = JSON.parse(text);
  change(changed);
  const found = breakingChanges(document, changed);
  return found.filter(({ operationId }) => of === undefined || operationId === of).map(({ what }) => what);
}

describe('a break is named', () => {
  for (const [name, of, change, expected] of breaks) {
    test(name, () => assert.deepEqual(breaksOf(change, of), expected));
  }
});

describe('no break', () => {
  test('of a document with itself, and with its record', () => {
    assert.deepEqual(
      breaksOf(() => undefined),
      [],
    );
    const record = JSON.parse(contractOf(document));
    assert.deepEqual([breakingChanges(record, document), breakingChanges(document, record)], [[], []]);
  });

  for (const [name, change] of additions) test(name, () => assert.deepEqual(breaksOf(change), []));
});

test('each field of each structure is watched, wherever it stands', () => {
  const schemas = document.components.schemas;
  const used = new Set(
    [...JSON.stringify(document.paths).matchAll(/schemas\/(\w+)/g)].map(([, name = '']) => name),
  );
  const fields = Object.keys(schemas)
    .filter((name) => used.has(name) && name !== 'Error')
    .flatMap((name) => Object.keys(schemas[name]?.properties ?? {}).map((field) => [name, field] as const));
  assert.ok(fields.length > 100);
  fc.assert(
    fc.property(fc.constantFrom(...fields), ([name, field]) => {
      const found = breaksOf((doc) => delete schemaOf(doc, name).properties[field]);
      assert.ok(
        found.some((what) => what.endsWith(`.${field}: is removed`)),
        `${name}.${field}: ${found}`,
      );
    }),
    { numRuns: 20 },
  );
});

describe('what is accepted', () => {
  const found = [
    { operationId: 'createBooking', what: 'body.notes: is removed' },
    { operationId: 'getBooking', what: '200.booking.code: is removed' },
  ];

  test('the operations that an entry of the unreleased changes names', () => {
    const entry = '- **Breaking**: `createBooking` takes\n  no notes.\n';
    const [, other] = found;
    assert.deepEqual(unaccepted(found, `# Changelog\n\n## Unreleased\n\n${entry}`), [other]);
    assert.deepEqual(
      unaccepted(found, `# Changelog\n\n## Unreleased\n\n## 1.0.0 (2026-01-01)\n\n${entry}`),
      found,
    );
    assert.deepEqual(
      unaccepted(found, '# Changelog\n\n## Unreleased\n\n- `createBooking` is quicker.\n'),
      found,
    );
  });

  test('in a major version; before 1.0.0 in a minor one', () => {
    const breaking = [
      ['0.1.0', '0.2.0'],
      ['0.9.1', '1.0.0'],
      ['1.4.0', '2.0.0'],
    ] as const;
    const others = [
      ['0.1.0', '0.1.1'],
      ['1.0.0', '1.1.0'],
      ['1.2.3', '1.2.4'],
      ['0.1.0', '0.1.0'],
    ] as const;
    for (const [before, after] of breaking) assert.equal(mayBreak(before, after), true, `${before} ${after}`);
    for (const [before, after] of others) assert.equal(mayBreak(before, after), false, `${before} ${after}`);
  });

  test('a release makes the record again, unless its version is too small for what it breaks', (t: TestContext) => {
    const root = mkdtempSync(join(tmpdir(), 'pitlane-contract-'));
    t.after(() => rmSync(root, { recursive: true }));
    mkdirSync(join(root, 'test/openapi'), { recursive: true });
    const record = join(root, 'test/openapi/released.json');
    const versioned = (version: string, doc: ApiDocument = document) => ({
      ...doc,
      info: { ...doc.info, version },
    });
    const write = (doc: object) => writeFileSync(join(root, 'openapi.json'), JSON.stringify(doc));
    writeFileSync(record, contractOf(versioned('1.0.0')));

    const { '/bookings': _, ...paths } = document.paths;
    write(versioned('1.1.0', { ...document, paths }));
    assert.throws(
      () => recordRelease(root),
      (error) =>
        error instanceof StepFailed && /createBooking: POST \/bookings: is removed/.test(error.message),
    );
    assert.equal(readFileSync(record, 'utf8'), contractOf(versioned('1.0.0')));
    write(versioned('2.0.0', { ...document, paths }));
    recordRelease(root);
    assert.equal(readFileSync(record, 'utf8'), contractOf(versioned('2.0.0', { ...document, paths })));
    write(versioned('2.0.1', document));
    recordRelease(root);
    assert.equal(JSON.parse(readFileSync(record, 'utf8')).info.version, '2.0.1');
  });
});
