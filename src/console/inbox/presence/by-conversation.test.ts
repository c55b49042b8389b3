/** What is known of who is where: how long it holds, and how much of it there is. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Beat, lookingMs, typingMs } from './beat.ts';
import { createPresenceByConversation, pagesAtMost, pagesOfConversationAtMost } from './by-conversation.ts';

const usual: Beat = {
  ...{ sessionId: 's1', workshopId: 'w1', role: 'owner', mayText: true, seesPhones: true },
  ...{ personId: 'p1', name: 'Kim', conversationId: 'c1', pageId: 'a', number: 1, doing: 'looking' },
};

function presenceAt(startMs: number) {
  let atMs = startMs;
  const presence = createPresenceByConversation(() => atMs);
  return {
    presence,
    pass: (ms: number) => {
      atMs += ms;
    },
    seen: () => presence.at('w1', 'c1').map(({ name, isTyping }) => (isTyping ? `${name}!` : name)),
  };
}

test('who looks is there for a while, who types types for less, and who types comes first', () => {
  const { presence, pass, seen } = presenceAt(0);
  presence.take(usual);
  presence.take({ ...usual, personId: 'p2', name: 'Zoe', sessionId: 's2', doing: 'typing' });
  assert.deepEqual(seen(), ['Zoe!', 'Kim']);
  assert.deepEqual(presence.sweep(), []);
  pass(typingMs - 1_000);
  // That a page is still seen takes no typing away.
  presence.take({ ...usual, personId: 'p2', name: 'Zoe', sessionId: 's2', number: 2 });
  assert.deepEqual(seen(), ['Zoe!', 'Kim']);
  pass(1_000);
  assert.deepEqual(seen(), ['Kim', 'Zoe']);
  assert.deepEqual(presence.sweep(), ['c1']);
  assert.deepEqual(presence.sweep(), []);
  pass(lookingMs - typingMs);
  assert.deepEqual(seen(), ['Zoe']);
  assert.deepEqual(presence.sweep(), ['c1']);
  pass(typingMs);
  assert.deepEqual(presence.sweep(), ['c1']);
  assert.equal(presence.size(), 0);
});

test('a person with several pages is there once, of each workshop alone, until the last page has gone', () => {
  const { presence, seen } = presenceAt(0);
  presence.take(usual);
  presence.take({ ...usual, pageId: 'b', doing: 'typing' });
  assert.deepEqual(seen(), ['Kim!']);
  assert.deepEqual(presence.at('w2', 'c1'), []);
  presence.take({ ...usual, pageId: 'b', doing: 'gone', number: 2 });
  assert.deepEqual(seen(), ['Kim']);
  presence.take({ ...usual, doing: 'gone', number: 3 });
  assert.deepEqual(seen(), []);
  assert.equal(presence.take({ ...usual, number: 2 }), false);
  assert.deepEqual(seen(), []);
});

test('there are at most that many pages of a conversation, and of all; there is room again once they have run out', () => {
  const { presence, pass } = presenceAt(0);
  for (let n = 0; n < pagesOfConversationAtMost; n++)
    assert.equal(presence.take({ ...usual, pageId: `${n}` }), true);
  assert.equal(presence.take({ ...usual, pageId: 'more' }), false);
  assert.equal(presence.take({ ...usual, pageId: '0', number: 2 }), true);
  for (let n = 0; presence.size() < pagesAtMost; n++) presence.take({ ...usual, conversationId: `d${n}` });
  assert.equal(presence.take({ ...usual, conversationId: 'more' }), false);
  pass(lookingMs);
  presence.sweep();
  assert.equal(presence.size(), 0);
  assert.equal(presence.take({ ...usual, conversationId: 'more' }), true);
});
