/** Links arrive unbroken in messages of every kind. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { actors } from '#base/values/actor.ts';
import { reply } from '#product/messaging/inbox/reply.ts';
import { inboundWorld } from '../../../test/fixtures/inbound.ts';
import { fromTemplate, messagingWorld, newPhone, text } from '../../../test/fixtures/messaging.ts';

const { app, send, customer, template, read } = await messagingWorld();
const { answer, conversations } = inboundWorld(app);

/** Characters that other programs tend to change: decomposed letters, quotes, ampersands, brackets, tildes. */
const link = "https://a.example/Zoe\u0308/~x'y?a=1&b=<2>&c=\u201cq\u201d#[3]";
const around = (start: string) => `${start}: ${link} \u2013 Zoe\u0308`;
const kept = (start: string) => `${start}: ${link} \u2013 Zo\u00eb`;

test('a partner’s message, a template and a reply carry the link as it was written (specification: Notices 24)', async () => {
  const { phone, id } = await customer();
  const sent = await send({ phone, ...text(`  ${around('text')}  `) });
  assert.equal((await read(sent.sms.messageId)).body, kept('text'));
  const templateId = await template(`${around('template')} {{ customer.firstName }}`);
  await send({ customerId: id, ...fromTemplate(templateId) });
  await reply(app.context, sent.sms.conversationId, around('reply'), actors.operator);
  await app.drain();
  assert.deepEqual(
    app.sms.to(phone).map(({ body }) => body),
    [kept('text'), `${kept('template')} Ava`, kept('reply')],
  );
});

test('a value of a template is not escaped, and links in it are removed', async () => {
  const { phone, id } = await customer({ firstName: `Zoë & 'Q' <3> ${link}` });
  const templateId = await template('See {{ customer.firstName }} now');
  await send({ customerId: id, ...fromTemplate(templateId) });
  assert.equal(app.sms.to(phone)[0]?.body, "See Zoë & 'Q' <3> now");
});

test('a template’s link is left out completely where it would be cut', async () => {
  const { phone, id } = await customer();
  const templateId = await template(
    `{% assign link = "https://a.example/a-long-way-to-the-page" %}See {{ link | truncate: 30 }}|{{ link | shorten: 30 }}`,
  );
  await send({ customerId: id, ...fromTemplate(templateId) });
  assert.equal(app.sms.to(phone)[0]?.body, 'See ...|...');
});

test('an inbound SMS is stored as it was written, links included', async () => {
  const phone = newPhone();
  await send({ phone });
  await answer(phone, around('answer'));
  assert.equal((await conversations(phone))[0]?.messages.at(-1)?.body, around('answer'));
});
