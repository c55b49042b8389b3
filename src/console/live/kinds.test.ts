import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newId } from '#base/values/id.ts';
import { eventKinds } from '#platform/events/record.ts';
import { type Change, hintKinds, hintsAtMost, hintsOfAll } from './kinds.ts';

const change = (what: string, ids: Partial<Change> = {}): Change => ({
  ...{ workshopId: newId(), what, subjectId: newId(), customerId: null, conversationId: null },
  ...ids,
});

test('every kind of event hints at its record, and none at what is set', () => {
  for (const what of eventKinds) {
    const its = change(what, { conversationId: newId() });
    const hints = hintsOfAll([its]);
    assert.ok(hints.length > 0, what);
    for (const hint of hints) {
      assert.ok(hint.kind !== 'all' && hint.kind !== 'settings' && hintKinds.includes(hint.kind), what);
      assert.ok([its.subjectId, its.conversationId].includes(hint.id), what);
    }
  }
});

test('what staff do with a conversation hints at it, and at its customer, in the trail of whom it stands', () => {
  const its = change('customer.talkDone', { conversationId: newId() });
  assert.deepEqual(hintsOfAll([its]), [
    { kind: 'message', id: its.conversationId },
    { kind: 'message', id: its.subjectId },
    { kind: 'customer', id: its.subjectId },
  ]);
});

test('what changed more than once is said once; more than 200 things are all (specification: The console 12)', () => {
  const one = change('booking.updated');
  assert.deepEqual(hintsOfAll([one, one]), [{ kind: 'booking', id: one.subjectId }]);
  const many = Array.from({ length: hintsAtMost }, () => change('booking.created'));
  assert.equal(hintsOfAll(many).length, hintsAtMost);
  assert.deepEqual(hintsOfAll([...many, one]), [{ kind: 'all' }]);
  assert.deepEqual(hintsOfAll([]), []);
});

test('what is unknown is something that is set; what is printed is nothing, an erasure and the end of an import are all', () => {
  const its = change('invoice.made');
  assert.deepEqual(hintsOfAll([its]), [{ kind: 'settings', id: its.workshopId }]);
  for (const what of ['workshop.dayPrinted', 'workshop.weekPrinted'])
    assert.deepEqual(hintsOfAll([change(what)]), [], what);
  assert.deepEqual(hintsOfAll([change('workshop.importEnded')]), [{ kind: 'all' }]);
  assert.deepEqual(hintsOfAll([its, change('customer.erased')]), [{ kind: 'all' }]);
});
