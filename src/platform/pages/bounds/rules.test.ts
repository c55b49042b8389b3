/** What is counted of a change on a page, and what is withheld. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { judgeChange, keysOf, nameOf, type PageChange } from './rules.ts';

const change: PageChange = {
  workshopId: 'w1',
  country: 'AU',
  address: '192.0.2.1',
  customer: { phone: '+61491570006', email: 'kim@mail.example' },
  workshopSms: 1,
};
const subjectOf = (changes: Partial<PageChange>, kind: string) =>
  keysOf({ ...change, ...changes }).find((key) => key.kind === kind)?.subject;

test('keys: no phone or address can be read from them; one mailbox is one, whatever its tag', () => {
  const text = JSON.stringify(keysOf(change).filter(({ kind }) => kind !== 'workshop'));
  assert.doesNotMatch(text, /570006|kim|192\.0/);
  const mailbox = (email: string) => subjectOf({ customer: { phone: null, email } }, 'email');
  assert.equal(mailbox('Kim+1@Mail.example'), mailbox('kim@mail.example'));
  assert.notEqual(mailbox('kim1@mail.example'), mailbox('kim@mail.example'));
  assert.equal(mailbox('K.i.m+1@googlemail.com'), mailbox('kim@gmail.com'));
  assert.notEqual(mailbox('k.im@mail.example'), mailbox('kim@mail.example'));
  const kinds = (changes: Partial<PageChange>) => keysOf({ ...change, ...changes }).map(({ kind }) => kind);
  assert.deepEqual(kinds({ address: null, workshopId: null }), ['phone', 'email']);
  assert.deepEqual(kinds({ customer: null, workshopSms: 0 }), ['address', 'addressAtWorkshop']);
  assert.deepEqual(kinds({ customer: { phone: '', email: '' } }), [
    'address',
    'addressAtWorkshop',
    'workshop',
  ]);
});

test('whatever visitors do: no bound is passed by what is sent, and nothing is withheld below one', () => {
  const visits = fc.record({
    workshopId: fc.constantFrom('w1', 'w2'),
    address: fc.constantFrom('192.0.2.1', '192.0.2.2', '2001:db8::1'),
    customer: fc.option(
      fc.record({
        phone: fc.constantFrom('+61491570006', '+61491570156', '+6421123456'),
        email: fc.constantFrom('', 'a@mail.example', 'b@mail.example'),
      }),
    ),
    workshopSms: fc.integer({ min: 0, max: 3 }),
  });
  fc.assert(
    fc.property(
      fc.array(visits, { maxLength: 150 }),
      fc.integer({ min: 0, max: 30 }),
      (all, smsPerWorkshop) => {
        const used = new Map<string, number>();
        const sent = new Map<string, number>();
        const add = (name: string, amount: number) => sent.set(name, (sent.get(name) ?? 0) + amount);
        for (const visit of all) {
          const each: PageChange = { country: 'AU', ...visit };
          const { refusedBy, takes, withheld } = judgeChange(each, used, smsPerWorkshop);
          if (refusedBy !== null) continue;
          for (const its of takes) used.set(nameOf(its), (used.get(nameOf(its)) ?? 0) + its.amount);
          const { phone, email } = each.customer ?? {};
          const customerSms = phone && !withheld.includes('customer sms') ? 1 : 0;
          const workshopSms = withheld.includes('workshop sms') ? 0 : each.workshopSms;
          if (phone) add(phone, customerSms);
          if (email) add(email, withheld.includes('customer email') ? 0 : 1);
          add(`${each.workshopId}`, customerSms + workshopSms);
          add(`${each.address} changes`, 1);
          add(`${each.address} ${each.workshopId} changes`, 1);
          const free = (name: string, atMost: number) => (sent.get(name) ?? 0) < atMost;
          if (withheld.includes('customer email')) assert.ok(!free(email ?? '', 5));
          if (withheld.includes('customer sms') && free(phone ?? '', phone === '+6421123456' ? 3 : 5))
            assert.ok(!free(`${each.workshopId}`, smsPerWorkshop - each.workshopSms));
        }
        for (const [name, amount] of sent) {
          const atMost = /changes$/.test(name)
            ? / w\d /.test(name)
              ? 20
              : 100
            : name.startsWith('w')
              ? smsPerWorkshop
              : name.startsWith('+64')
                ? 3
                : 5;
          assert.ok(amount <= atMost, `${name}: ${amount}`);
        }
      },
    ),
  );
});
