/** Every campaign text names the workshop and ends with how to stop (specification: Automations 7). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { WayOut } from '#product/way-out/way-out.ts';
import { campaignText, renderCampaign } from './text.ts';

const workshop = { name: 'Harbour Motors' };
const reply: WayOut = { way: 'reply', code: null, text: 'Reply STOP to end' };
const url = 'https://pitlane.example/u/7K3M9QXW2P';
const link: WayOut = { way: 'link', code: '7K3M9QXW2P', text: `Stop these texts: ${url}` };

test('missing parts are added, and nothing else is changed', () => {
  const whole = 'Harbour Motors: winter tyres are here. Reply STOP to end.';
  assert.equal(campaignText(whole, workshop, reply), whole);
  const shouted = 'at HARBOUR  motors! Txt STOP to 0400';
  assert.equal(campaignText(shouted, workshop, reply), shouted);
  const stop = '\nReply STOP to end';
  const [cost, words] = ['answers cost your standard rate', 'Harbour Motors: tyres. Txt STOP'];
  assert.equal(campaignText(words, workshop, { ...reply, cost }), `${words} (${cost})`);
  assert.equal(campaignText('Winter tyres', workshop, reply), `Harbour Motors: Winter tyres${stop}`);
  const by = 'Harbour Motors: do stop by';
  assert.equal(campaignText(by, workshop, reply), `${by}${stop}`);
  const early = `Harbour Motors, STOP here and ${'read on '.repeat(8)}`;
  assert.equal(campaignText(early, workshop, reply), early + stop);
  for (const name of ['PIT STOP', 'STOP & GO', 'Pit Stop']) {
    const signed = `Winter tyres. PIT STOP or ${name}`;
    assert.equal(campaignText(signed, { name }, reply), signed + stop, name);
    assert.equal(campaignText(`${signed}. STOP ends`, { name }, reply), `${signed}. STOP ends`, name);
  }
});

test('always: where nobody can answer, no text asks for an answer; the link is its way out', () => {
  const added = `\n${link.text}`;
  for (const [written, sent] of [
    ['Hi', `Harbour Motors: Hi${added}`],
    ['Harbour Motors: tyres are here. Reply STOP to end.', `Harbour Motors: tyres are here.${added}`],
    ['Harbour Motors: tyres\nText STOP to opt out', `Harbour Motors: tyres${added}`],
    ['Harbour Motors! Or reply STOP', `Harbour Motors!${added}`],
    // Its own words, which ask for no answer, stay.
    ['Harbour Motors: last STOP before winter', `Harbour Motors: last STOP before winter${added}`],
    ['Reply STOP, says Harbour Motors', `Reply STOP, says Harbour Motors${added}`],
  ] as const)
    assert.equal(campaignText(written, workshop, link), sent);
});

test('segments include the added parts; a text that is too long, empty or broken is not sent', () => {
  const fits = 'x'.repeat(160 - 'Harbour Motors: '.length);
  const rendered = (body: string, wayOut = reply) => renderCampaign(body, {}, workshop, wayOut);
  assert.deepEqual(rendered(fits), { text: campaignText(fits, workshop, reply), segments: 2 });
  assert.deepEqual(rendered('x'.repeat(80), link), {
    text: campaignText('x'.repeat(80), workshop, link),
    segments: 1,
  });
  assert.deepEqual(rendered('x'.repeat(1_500)), { fault: 'tooLong' });
  assert.deepEqual(rendered(' {{ customer.name }} '), { fault: 'emptyText' });
  assert.deepEqual(rendered('{% for %}'), { fault: 'template' });
  assert.deepEqual(rendered(fits, { way: 'none', code: null, text: '' }), { fault: 'noWayOut' });
});
