/** The limits of templates: tags, filters, ranges, time and size. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { engine } from './engine.ts';
import { inspectTemplate, renderTemplate } from './render.ts';
import { TemplateError } from './template-error.ts';

const variables = { customer: { name: 'Ann Lee', company: null }, booking: { notes: 'x'.repeat(10_000) } };
const rendered = (body: string) => renderTemplate(body, variables);

function assertRefused(body: string, why: RegExp): void {
  assert.throws(
    () => inspectTemplate(body),
    (error) => error instanceof TemplateError && why.test(error.message),
    body,
  );
}

test('no tag or filter reads files, creates lists or reads the clock (specification: Templates 2)', () => {
  const tags = [
    'include "x"',
    'render "x"',
    'layout "x"',
    'block x',
    'liquid',
    'echo 1',
    'cycle 1',
    'increment x',
    'decrement x',
  ];
  for (const tag of [...tags, 'tablerow i in (1..2)', 'constructor'])
    assertRefused(`{% ${tag} %}`, /tag .* not found/);
  const filters = [
    'date: "%Y"',
    'split: ","',
    'join',
    'json',
    'raw',
    'map: "x"',
    'where_exp: "x", "y"',
    'base64_encode',
  ];
  for (const filter of [...filters, 'constructor', 'toString'])
    assertRefused(`{{ "now" | ${filter} }}`, /undefined filter/);
});

test('long or endless ranges are refused wherever they occur', () => {
  const wild = ['(1..100000000)', '(9007199254740992..9007199254740996)', '(1..customer.name)', '(1.5..3)'];
  for (const range of wild) {
    const bodies = [
      `{% for i in ${range} %}x{% endfor %}`,
      `{% for i in (1..3) limit: ${range} %}x{% endfor %}`,
      `{% for i in (1..3) %}{% else %}{{ ${range} }}{% endfor %}`,
      `{{ ${range} }}`,
      `{{ ${range}[0] }}`,
      `{{ ${range}.first }}`,
      `{{ customer.name | default: ${range} }}`,
      `{% assign x = ${range} %}`,
      `{% capture x %}{{ ${range} }}{% endcapture %}`,
      `{% if ${range} contains 1 %}{% elsif ${range} %}{% endif %}`,
      `{% unless ${range} %}{% endunless %}`,
      `{% case 1 %}{% when ${range} %}{% endcase %}`,
    ];
    for (const body of bodies) {
      assertRefused(body, /a range goes from/);
      assert.throws(() => rendered(body), TemplateError, body);
    }
  }
});

test('a template that would take long or grow large fails quickly (specification: Templates 2)', () => {
  const loop = (inner: string) => `{% for i in (1..1000) %}${inner}{% endfor %}`;
  const bodies = [
    loop(loop('')),
    loop(loop('x')),
    loop(loop('{% if booking.notes contains "xxxxxxxxxxxxxxxxxxxxxxxxy" %}x{% endif %}')),
    loop('y'.repeat(9000)),
    `{% assign a = "xxxxxxxxxx" %}${'{% capture a %}{{ a }}{{ a }}{% endcapture %}'.repeat(30)}`,
    `{% assign a = "xxxxxxxxxx" %}${'{% assign a = a | append: a %}'.repeat(30)}`,
    '{{ booking.notes | replace: "x", booking.notes }}',
    '{{ booking.notes | replace: "", "yyyyyyyyyyyyyyyy" }}',
    '{{ booking.notes }}!',
    `${'{% for i in (1..2) %}'.repeat(200)}x${'{% endfor %}'.repeat(200)}`,
  ];
  for (const body of bodies) {
    // The CPU time of this process, which does not depend on other processes.
    const before = process.cpuUsage();
    assert.throws(() => rendered(body), TemplateError, body.slice(0, 60));
    const { user, system } = process.cpuUsage(before);
    const tookMs = (user + system) / 1000;
    // Measured below 60 ms.
    assert.ok(tookMs < 500, `${tookMs} ms: ${body.slice(0, 60)}`);
  }
  assert.equal(rendered('{{ booking.notes }}').length, 10_000);
});

test('any template is refused, or renders plain text, in a short time', () => {
  const pieces = [
    ...[
      '{{',
      '}}',
      '{%',
      '%}',
      '{{-',
      '-%}',
      ' ',
      '\n',
      'x',
      '"',
      "'",
      '(',
      ')',
      '[',
      ']',
      '.',
      '..',
      '|',
      ':',
      ',',
      '#',
      '9',
      '-1',
      '1e9',
    ],
    ...[
      'customer',
      '.name',
      'booking.notes',
      'customer.company',
      'nil',
      'i',
      'contains',
      '==',
      '<',
      'and',
      'or',
      'true',
    ],
    ...[
      'if ',
      'endif',
      'else',
      'for i in ',
      'endfor',
      'assign i = ',
      'capture i',
      'endcapture',
      'case ',
      'when ',
      'endcase',
      'raw',
      'endraw',
    ],
    ...[
      '| append: ',
      '| replace: ',
      '| times: ',
      '| slice: ',
      '| default: ',
      '| truncate: ',
      '(1..9)',
      '{{ customer.name }}',
      '{{ booking.code }}',
    ],
    ...[
      '{% for i in (1..99) %}',
      '{% endfor %}',
      '{% if customer.name %}',
      '{% endif %}',
      '{% break %}',
      '{% comment %}',
    ],
  ];
  const anything = fc.array(fc.constantFrom(...pieces), { maxLength: 60 });
  const value = fc.constantFrom(
    'customer.name',
    'booking.notes',
    'car.year',
    '"x"',
    '3',
    '-1.5',
    '1e9',
    'nil',
    'true',
    '(1..9)',
  );
  const filter = fc.tuple(fc.constantFrom(...Object.keys(engine.filters)), fc.array(value, { maxLength: 3 }));
  const output = fc.tuple(value, fc.array(filter, { maxLength: 4 })).map(([first, filters]) => {
    const piped = filters.map(
      ([name, given]) => ` | ${name}${given.length > 0 ? `: ${given.join(', ')}` : ''}`,
    );
    return `{{ ${first}${piped.join('')} }}`;
  });
  const block = fc.constantFrom(
    '{% for i in (1..99) %}',
    '{% endfor %}',
    '{% if car.rego == nil %}',
    '{% endif %}',
  );
  const sensible = fc.array(fc.oneof(output, block), { maxLength: 6 });
  const bodies = fc.oneof(anything, sensible).map((parts) => parts.join(''));
  fc.assert(
    fc.property(bodies, (body) => {
      const started = process.cpuUsage();
      try {
        inspectTemplate(body);
        const text = rendered(body);
        assert.doesNotMatch(text, /\[object|undefined|null|NaN|=>/);
      } catch (error) {
        assert.ok(error instanceof TemplateError, String(error));
      }
      assert.ok(process.cpuUsage(started).user < 1_000_000);
    }),
    { numRuns: 2000 },
  );
});
