/** Who may do what: the table that people read (docs/console.md) and the one that the routes are judged by say the same. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { may, type Permission, permissions, roles, usualSwitches } from './permissions.ts';

/** Each permission with a row, by how the row begins. */
const rowOf: Readonly<Partial<Record<Permission, string>>> = {
  seeBookings: 'see the day',
  seeCustomers: 'find customers',
  seeQuotes: 'see quotes',
  changeBookings: 'make, move',
  handleCars: 'mark attendance',
  wordTexts: 'text in their own words',
  handleConversations: 'mark conversations',
  correctCustomers: 'correct customers',
  runWorkshop: 'people, automations',
  seeReminders: 'see reminders',
  seeTrail: 'see who changed what',
};
const page = readFileSync(new URL('../../../docs/console.md', import.meta.url), 'utf8');
const table = page.split('\n').filter((line) => line.startsWith('| '));

for (const permission of permissions) {
  const row = rowOf[permission];
  if (row === undefined) continue;
  test(`${permission}: "${row} …" (specification: The console 3)`, () => {
    const [line, ...others] = table.filter((each) => each.startsWith(`| ${row}`));
    assert.ok(line !== undefined && others.length === 0);
    const cells = line.split('|').slice(2, -1);
    assert.deepEqual(
      roles.map((role) => may({ role, ...usualSwitches(role) }, permission)),
      cells.map((cell) => cell.trim() !== 'no'),
    );
  });
}

test('texts in their own words take the switch as well, and it alone is not enough (specification: The console 3)', () => {
  const allowed = (mayText: boolean) =>
    roles.filter((role) => may({ role, seesPhones: true, mayText }, 'wordTexts'));
  assert.deepEqual(allowed(false), []);
  assert.deepEqual(allowed(true), ['owner', 'adviser']);
});
