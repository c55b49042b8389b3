/** Every campaign text names the workshop and ends with how to stop (specification: Automations 7). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { campaignText, renderCampaign } from './text.ts';

const workshop = { name: 'Harbour Motors', phone: '+61355501234', country: 'AU', smsSender: null };

test('missing parts are added, and nothing else is changed', () => {
  const whole = 'Harbour Motors: winter tyres are here. Reply STOP to end.';
  assert.equal(campaignText(whole, workshop), whole);
  assert.equal(
    campaignText('at HARBOUR  motors! Txt STOP to 0400', workshop),
    'at HARBOUR  motors! Txt STOP to 0400',
  );
  const stop = '\nReply STOP to opt out';
  assert.equal(campaignText('Winter tyres', workshop), `Harbour Motors: Winter tyres${stop}`);
  assert.equal(campaignText('Harbour Motors: do stop by', workshop), `Harbour Motors: do stop by${stop}`);
  const early = `Harbour Motors, STOP here and ${'read on '.repeat(8)}`;
  assert.equal(campaignText(early, workshop), early + stop);
  const named = { ...workshop, smsSender: 'Harbour' };
  assert.equal(campaignText('Hi', named), 'Harbour Motors: Hi\nTo STOP these texts call (03) 5550 1234');
});

test('segments include the added parts; a text that is too long, empty or broken is not sent', () => {
  const fits = 'x'.repeat(160 - 'Harbour Motors: '.length);
  assert.deepEqual(renderCampaign(fits, {}, workshop), { text: campaignText(fits, workshop), segments: 2 });
  assert.deepEqual(renderCampaign('x'.repeat(1_500), {}, workshop), { fault: 'tooLong' });
  assert.deepEqual(renderCampaign(' {{ customer.name }} ', {}, workshop), { fault: 'emptyText' });
  assert.deepEqual(renderCampaign('{% for %}', {}, workshop), { fault: 'template' });
});
