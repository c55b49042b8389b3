/** Which texts may ask for no more texts (specification: Opting out 8). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { anyCharacter } from '../../../../../test/fixtures/any-character.ts';
import { optWord } from '../opt-words.ts';
import { mayAskToStop } from './judge.ts';

const lines = (text: string) =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

const must = lines(`
  Stop texting me
  unsubscribe me
  unsubscribe me from this list
  REMOVE
  Remove me
  ARRET
  Arrêt
  arrêtez
  please stop
  Stop please
  stop, thanks
  STOP 🛑
  S T O P
  СТОП
  Stop sending me messages
  stop sending these
  please stop the texts
  Stop these messages!
  stop all messages
  stop messaging me
  Can you stop texting this number
  Please stop contacting me
  don't text me
  Don’t text me again
  Do not contact me
  do not text this number
  dont send me any more texts
  I don't want these messages
  I do not want to receive texts from you
  I no longer want your messages
  no more texts
  No more messages please
  never text me again
  quit texting me
  take me off your list
  Take my number off
  take me off the list
  remove me from your list
  Remove my number from your database
  delete my number
  please remove my number
  opt me out
  I want to opt out
  opt out of these texts
  I'd like to opt-out please
  how do I unsubscribe?
  leave me alone
  lose my number
  Wrong number, stop
  Stop, I already sold the car
  STOP I am not your customer
  STOP texting
  Who is this? Stop texting me!
  I revoke my consent
  cancel these texts
  stop the spam
  stop spamming me
  Baja
  No más mensajes
  Keine SMS mehr
  退订
  Stop. I never booked with you
  stopp
  please stop sending texts to this number
  I do not wish to receive any further marketing texts
  Take us off your mailing list
  STOPP
  Стоп
  stop, wrong person
  unsub
  I opted out already
  do not message me anymore
  stop the promotional messages
  please unsubcribe
  Unsuscribe me
  not interested stop
  No thanks stop
  wrong number please stop
  stop - wrong number
  I asked you to stop
  I said stop
  Can you please stop?
  Reply stop
  STOP 2 END
  Stop stop stop
  Stop 0491570006
  End messages
  stop reminders
  no more reminders please
  don't send me reminders
  cease all communication
  please remove from your list
  do not send me anything
  turn off notifications
  I text STOP already and you keep texting, unsubscribe me
`);

const mustNot = lines(`
  stop by tomorrow?
  Can I stop by tomorrow?
  can you stop the noise
  remove the tyres
  Can you remove the tyres and check the brakes
  please stop the work
  Stop the work please
  I'll text you when I stop at the shop
  can you stop the squeal from the brakes and text me
  Don't forget to message me
  I didn't get your messages
  I don't get your texts
  You never text me back
  You never text me when it's ready
  I'll stop bothering you
  stop the message on my dashboard
  How do I stop the message about oil?
  The stop light is out
  It won't stop
  The car stops when I brake
  remove my number plates please
  remove me from the waiting list
  take me off the 9am slot
  Take me off the waiting list please
  cancel my booking
  Cancel please
  Please cancel my appointment tomorrow
  can you quit the quote and cancel?
  end of the week is fine
  Yes
  no
  Thanks, no need to stop
  don't send the invoice to my old address
  opt out of the wheel alignment
  I did not unsubscribe
  Do not text my wife about the surprise
  The engine cut out, it stops
  please remove the roof rack
  Suzuki Alto
  START
  help
  stop/start system fault light
  Does my car have stop start?
  auto stop doesn't work
  My stop lamp message keeps coming up on the dash
  Stop over at the other shop first
  What time do you stop taking cars?
  when do you stop work
  Can you text me when you stop for lunch
  no more noise after the repair, thanks
  no more than 200 dollars please
  Delete the brake pads from the quote
  I don't want the wash
  I don't need a text, call me
  please don't contact the insurer yet
  get my car off the lift
  take my car off the hoist
  Yes please, stop by any time
  One more thing, can you stop the leak
  Is the bus stop near you?
  I stopped the car right away
  Don't get me wrong, happy to pay
  Can you remove the stickers from the bonnet
  opt for the premium oil
  Is it ready to be picked up? My number is 0491 570 006
  You are off the list of people I trust with it
  I need the bumper removed
  Do you want me to stop driving it?
  Do not send it to the other shop
  no longer hear the noise, thanks
  cancel the tyre rotation, keep the service
  Thanks, no need to stop
  The brakes are loud, and then no stop
  I need you to stop by the shop
  Which number do I get off at, the last stop
  stop the reminders on the dash
  I missed the reminder, can I come tomorrow
  End of the day is fine
  Please end the loan on Friday
  I have the parts from your list
  stop 2 doors down, please
  Thanks for your message, we are closed. Reply STOP to unsubscribe
  This number takes no calls. To opt out of our messages text STOP
`);

test('texts that must be taken so, and texts that must not', () => {
  assert.deepEqual(
    must.filter((text) => !mayAskToStop(text)),
    [],
    'not noticed',
  );
  assert.deepEqual(mustNot.filter(mayAskToStop), [], 'taken so, and about something else');
  // A word that opts out or in by itself is no question.
  for (const text of [...must, ...mustNot].filter((each) => each !== 'START'))
    assert.equal(optWord(text), null, text);
});

test('capitals, accents, curly apostrophes and what stands around it make no difference', () => {
  fc.assert(
    fc.property(fc.constantFrom(...must), fc.constantFrom('', ' ', '\n', '!', '...'), (text, after) => {
      assert.ok(mayAskToStop(`${text.replaceAll("'", '\u2019')}${after}`), text);
      if (!/^STOP/.test(text)) assert.ok(mayAskToStop(text.toUpperCase()), text);
    }),
  );
});

test('any text is decided, in time that grows with its length alone', () => {
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter, maxLength: 2_000 }), (text) => {
      assert.equal(typeof mayAskToStop(text), 'boolean');
    }),
  );
  // Of a letter's accents too, which are sorted.
  for (const part of [
    '\u0301\u0316',
    'stop ',
    'stop sending me the ',
    'no more ',
    'remove me from ',
    '. ,',
    'a',
    ' ',
  ])
    mayAskToStop(part.repeat(300_000 / part.length));
});
