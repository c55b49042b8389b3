import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { accentOf, contrastOf } from './colour.ts';

const cards = { light: '#ffffff', dark: '#1b212a' } as const;

test('whatever the colour of the workshop, texts and buttons can be read, in light and dark', () => {
  const channel = fc.integer({ min: 0, max: 255 });
  fc.assert(
    fc.property(channel, channel, channel, fc.constantFrom('light', 'dark'), (red, green, blue, design) => {
      const colour = `#${[red, green, blue].map((value) => value.toString(16).padStart(2, '0')).join('')}`;
      const { fill, onFill, text, soft } = accentOf(colour, design);
      assert.ok(contrastOf(onFill, fill) >= 4.5, `${colour}: ${onFill} on ${fill}`);
      assert.ok(contrastOf(fill, cards[design]) >= 3, `${colour}: ${fill} on the card`);
      assert.ok(contrastOf(text, cards[design]) >= 4.5, `${colour}: ${text} on the card`);
      assert.ok(contrastOf(text, soft) >= 4.5, `${colour}: ${text} on ${soft}`);
    }),
  );
});

test('a colour that can be read stays as the workshop chose it', () => {
  assert.equal(accentOf('#0a7d5a', 'light').fill, '#0a7d5a');
});
