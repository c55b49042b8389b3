/** The house rules, each read off the repository and each shown to be able to fail. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { Rule, Sample } from './house/rule.ts';
import { rules } from './house/rules.ts';
import { parseSource, readRepository } from './house/source.ts';

const repository = readRepository(fileURLToPath(new URL('..', import.meta.url)));

const inSample = (rule: Rule, sample: Sample) =>
  rule.find(Object.entries(sample).map(([path, text]) => parseSource(path, text)));

describe('house rules', () => {
  for (const rule of rules) {
    test(rule.name, () => {
      const findings = rule.find(repository).map(({ path, line, what }) => `  ${path}:${line} ${what}`);
      if (findings.length > 0)
        assert.fail(`${rule.name}:\n${findings.join('\n')}\n  Instead: ${rule.instead}.`);
    });
  }

  test('the repository was read', () => {
    const read = new Set(repository.map((file) => file.path));
    for (const path of [
      'src/base/config.ts',
      'migrations/0001_core.sql',
      'package-lock.json',
      'test/house.test.ts',
    ]) {
      assert.ok(read.has(path), `${path} was not read`);
    }
  });
});

describe('each house rule can fail', () => {
  for (const rule of rules) {
    test(rule.name, () => {
      assert.ok(rule.bad.length > 0 && rule.good.length > 0);
      for (const sample of rule.bad)
        assert.ok(inSample(rule, sample).length > 0, `passes: ${JSON.stringify(sample)}`);
      for (const sample of rule.good)
        assert.deepEqual(inSample(rule, sample), [], `fails: ${JSON.stringify(sample)}`);
    });
  }
});

test('code, literals and comments are told apart', () => {
  const file = parseSource(
    'a.ts',
    `const a = \`x \${b + \`y\${"in"}\`} z\` / 2; // note\nconst r = /["]\\//g; f('it');`,
  );
  assert.deepEqual(
    file.literals.map(({ text }) => text),
    ['x ', 'y', 'in', '', ' z', 'it'],
  );
  assert.equal(file.code.length, file.text.length);
  assert.equal(file.code.split('\n')[1], "const r = /      g; f('  ');");
  assert.doesNotMatch(file.code, /note|in/);
});
