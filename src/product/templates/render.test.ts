import assert from 'node:assert/strict';
import { test } from 'node:test';
import { templateFields } from './fields.ts';
import { inspectTemplate, renderTemplate } from './render.ts';
import { TemplateError } from './template-error.ts';

const variables = {
  customer: { name: 'Ann Lee', firstName: 'Ann', company: null },
  workshop: { name: 'Main St <Motors>' },
  booking: { code: 'AB12CD34' },
};
const rendered = (body: string) => renderTemplate(body, variables);
const inspected = (body: string) => {
  const { placeholders, requiresBooking } = inspectTemplate(body);
  return [requiresBooking, ...placeholders];
};

function assertRefused(body: string, why: RegExp): void {
  assert.throws(
    () => inspectTemplate(body),
    (error) => error instanceof TemplateError && why.test(error.message),
    body,
  );
}

test('placeholders are filled; missing values and null render as nothing (specification: Templates 1)', () => {
  assert.equal(rendered('Hi {{ customer.firstName }}, {{workshop.name}}!'), 'Hi Ann, Main St <Motors>!');
  assert.equal(rendered('[{{ customer.company }}{{ customer.email }}{{ car.rego }}{{ nil }}]'), '[]');
  assert.equal(
    rendered('{{ customer.company | default: "you" | upcase }} {{ booking.code | slice: 0, 2 }}'),
    'YOU AB',
  );
  assert.equal(rendered('{% if car.rego %}{{ car.rego }}{% else %}your car{% endif %}'), 'your car');
  assert.equal(rendered('{% for i in (1..3) %}{{ i }}{% endfor %}'), '123');
  assert.equal(renderTemplate('{{ car.year }}', { car: { year: 2019 } }), '2019');
  assert.equal(renderTemplate('no placeholders\n', {}), 'no placeholders\n');
});

test('a machine that stalls for a moment does not fail the template', () => {
  const slow = {
    get name() {
      const until = performance.now() + 300;
      while (performance.now() < until);
      return 'Ann';
    },
  };
  assert.equal(renderTemplate('Hi {{ customer.name }}!', { customer: slow }), 'Hi Ann!');
});

test('a shortened text keeps its links complete and separate from the dots, or leaves them out', () => {
  const short = (value: string, filter: string) =>
    renderTemplate(`{{ customer.name | ${filter} }}`, { customer: { name: value } });
  const link = 'https://a.example/7K3M9QXW';
  assert.equal(short('Ann Lee Motors', 'truncate: 10'), 'Ann Lee...');
  assert.equal(short('Ann Lee Motors', 'truncate: 9, "."'), 'Ann Lee .');
  assert.equal(short('Ann Lee Motors', 'shorten: 12'), 'Ann Lee...');
  assert.equal(short('Ann Lee', 'shorten'), 'Ann Lee');
  assert.equal(short('Ann Lee', 'truncate: "x"'), 'Ann Lee');
  for (const length of [10, 20, 30, 33, 34, 36]) {
    for (const filter of ['truncate', 'shorten']) {
      const text = short(`Pay at ${link} or at our desk`, `${filter}: ${length}`);
      for (const [found] of text.matchAll(/http\S*/g)) assert.equal(found, link, `${filter} ${length}`);
      assert.ok(text.length <= length, text);
    }
  }
  assert.equal(
    short(`Pay at ${link} or at our desk`, 'truncate: 40, ""'),
    `Pay at ${link} or at `.slice(0, 40),
  );
  assert.equal(
    renderTemplate('{{ customer | truncate }}{{ customer | shorten }}{{ nil | shorten: nil }}', variables),
    '',
  );
});

test('values are plain text: a placeholder inside a value is not filled', () => {
  assert.equal(
    renderTemplate('{{ customer.name }}', { customer: { name: '{{ workshop.name }}' } }),
    '{{ workshop.name }}',
  );
});

test('an inspection lists the placeholders and whether a booking is needed', () => {
  assert.deepEqual(inspected('Hello'), [false]);
  assert.deepEqual(inspected('{{ workshop.name }} {{ customer["name"] }} {{ workshop.name }}'), [
    false,
    'customer.name',
    'workshop.name',
  ]);
  assert.deepEqual(inspected('{{ customer.name | default: booking.code }}'), [
    true,
    'booking.code',
    'customer.name',
  ]);
  assert.deepEqual(inspected('{% unless car.rego %}{% endunless %}'), [true, 'car.rego']);
  assert.deepEqual(inspected('{% assign x = booking.code %}{{ x }}'), [true, 'booking.code']);
  assert.deepEqual(inspected('{% case booking.status %}{% when "pending" %}…{% endcase %}'), [
    true,
    'booking.status',
  ]);
  assert.deepEqual(inspected('{% for i in (1..2) %}{{ i }}{{ forloop.last }}{% endfor %}'), [false]);
});

test('every field is a placeholder and is filled', () => {
  for (const [root, fields] of Object.entries(templateFields)) {
    for (const field of fields) {
      const body = `{{ ${root}.${field} }}`;
      assert.deepEqual(inspected(body), [root === 'booking' || root === 'car', `${root}.${field}`]);
      assert.equal(renderTemplate(body, { [root]: { [field]: 'value' } }), 'value');
    }
  }
});

test('unknown placeholders are refused by name (specification: Templates 3)', () => {
  assertRefused(
    '{{ name }}',
    /unknown placeholder name: did you mean customer\.name\? \(there are: customer, workshop, booking, quote, car\)/,
  );
  assertRefused('{{ customer }}', /unknown placeholder customer: .* \(customer has: name, firstName,/);
  assertRefused('{{ customer.name.size }}', /unknown placeholder customer\.name\.size/);
  assertRefused('{{ x }}{% assign x = 1 %}', /unknown placeholder x/);
  for (const name of ['__proto__', 'constructor', 'toString', 'hasOwnProperty']) {
    assertRefused(`{{ ${name} }}`, /unknown placeholder/);
    assert.equal(rendered(`{{ ${name} }}{{ customer.${name} }}{{ customer.name.${name} }}`), '');
  }
  assertRefused('{{ customer[workshop.name] }}', /written out/);
});

test('an unknown field renders empty, and the inspection names it', () => {
  const body = 'Hi {{ customer.firstName }}{{ customer.nickname }}!';
  assert.deepEqual(inspectTemplate(body).unknown, ['customer.nickname']);
  assert.equal(renderTemplate(body, { customer: { firstName: 'Sam' } }), 'Hi Sam!');
  assert.deepEqual(inspectTemplate('{{ customer.firstName }}').unknown, []);
});

test('a template that does not parse is refused with the line', () => {
  assertRefused('{{ customer.name', /not closed, line:1, col:1/);
  assertRefused('Hi\n{% if customer.name %}', /not closed, line:2/);
  assertRefused('{% endif %}', /"endif" not found/);
  assertRefused('{{ customer.name | shout }}', /undefined filter: shout/);
  assertRefused('x'.repeat(10_001), /longer than 10000/);
  assertRefused('{{ '.concat('('.repeat(9000), ' }}'), /too deeply nested/);
});
