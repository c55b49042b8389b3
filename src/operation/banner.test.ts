/** What a start says of a clock that was moved. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemClock } from '#base/clock.ts';
import { readConfig } from '#base/config.ts';
import type { Context } from '../platform/context.ts';
import { type Started, startedLine, startedPage } from './banner.ts';

function started(aheadSeconds: number): Started {
  const clock = systemClock();
  clock.setAdvance(aheadSeconds);
  const context = { config: readConfig({}), clock, sandbox: true, sandboxAlone: true } as Context;
  const nothing = { demo: null, bookingPath: null, signInPath: null, settingsFile: null };
  return { context, port: 3000, isEmbedded: true, warnings: [], ...nothing };
}

test('a clock that is ahead is told, with the way back; one that is not is not', () => {
  const page = startedPage(started(172_800));
  const back = 'http://localhost:3000/sandbox or npx pitlane clock reset';
  assert.match(page, new RegExp(`^ {2}Clock {11}20.+Z, moved 48 hours ahead; back to now: ${back}$`, 'm'));
  assert.match(startedPage(started(60)), /moved less than an hour ahead/);
  assert.doesNotMatch(startedPage(started(0)), /Clock/);
  assert.equal('clockAheadSeconds' in startedLine(started(0)).fields, false);
  assert.deepEqual(Object.entries(startedLine(started(60)).fields).at(0), ['clockAheadSeconds', 60]);
});
