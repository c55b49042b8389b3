/** What is taken out of a reply, and what is refused because it can't be told apart. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { desk, digest, garage, lines, sender } from '../../../../../test/fixtures/quoted-replies.ts';
import { ownWords } from './own-words.ts';
import { replyLine, type SentMail } from './sent-mail.ts';

const sent: SentMail = {
  ...{ senders: [sender], names: [garage], recipients: [desk] },
  answers: ['Is it\nready?', 'And what does it cost?'],
};
const read = (text: string) => ownWords(text, sent);
const quoted = digest.text.replace(/^/gm, '> ');
const gmail = lines['English, Gmail'];

test('a signature begins with two dashes and a space, and with nothing else', () => {
  const own = 'Brakes:\n--\n---\n__\nRegards,\nPat';
  assert.deepEqual(read(`${own}\n\n${gmail}\n${quoted}`), { text: own });
  assert.deepEqual(read(own), { text: own });
  assert.deepEqual(read(`${own}\n-- \nPat\n${garage}\n\n${gmail}\n${quoted}`), { text: own });
  assert.deepEqual(read(`${own}\n--\u00a0\nPat`), { text: own });
});

test('what a phone signs with is taken out, at the end alone; what people write about one stays', () => {
  for (const line of [
    ...[
      'Sent from my iPhone',
      'Sent from Outlook for Android',
      'Get Outlook for iOS',
      'Gesendet von meinem iPhone',
    ],
    ...['Von meinem Samsung Galaxy Smartphone gesendet.', 'Envoyé de mon iPad', 'Enviado desde mi iPhone'],
    ...[
      'Inviato da iPhone',
      'Verstuurd vanaf mijn iPhone',
      'Wysłane z iPhone’a',
      'iPhoneから送信',
      '发自我的iPhone',
    ],
    ...['Отправлено с iPhone', 'iPhone’umdan gönderildi', '나의 iPhone에서 보냄', 'Skickat från min iPhone'],
  ]) {
    assert.deepEqual(read(`At 5.\n\n${line}\n\n${gmail}\n${quoted}`), { text: 'At 5.' }, line);
    assert.deepEqual(read(`${line}\n\nAt 5.`), { text: `${line}\n\nAt 5.` }, line);
  }
  for (const own of ['Your iPhone is in the glove box', 'The part was sent from Sydney', 'Samsung: found it'])
    assert.deepEqual(read(`${own}\n\n${gmail}\n${quoted}`), { text: own });
});

test('words directly above the line of a quotation are their author’s', () => {
  for (const [name, line] of Object.entries(lines)) {
    const own = 'At 5.\nTotal: 250';
    assert.deepEqual(read(`${own}\n${line}\n${quoted}`), { text: own }, name);
  }
});

test('a line that begins in the address is whole where it has a date', () => {
  for (const gap of ['\n', '\n\n']) {
    const own = 'Pads 189\nReady at 15:59';
    const line = `<${sender}> schrieb am Mi., 4. Apr. 2029, 15:59:`;
    assert.deepEqual(read(`${own}${gap}${line}\n\n${quoted}`), { text: own });
  }
});

test('always: words that can’t be told from a header, or stand beside a torn e-mail, are refused, and nothing is sent', () => {
  const refused = (text: string, why: RegExp) => {
    const words = read(text);
    assert.ok('refusal' in words, JSON.stringify(words));
    assert.match(words.refusal, why);
  };
  const header = `From: ${garage}\nSent: 4/4/2029 15:59\nSubject: ${digest.subject}`;
  refused(`Total: 250\n${header}\n\n${digest.text}`, /leave an empty line between them/);
  const torn = digest.text.slice(digest.text.indexOf('Kim Doe 0491 570 006:'));
  refused(`At 5.\n\n${torn}`, /has lost its first line/);
  refused(`At 5.\n\n${torn.replace(/^/gm, '> ')}`, /has lost its first line/);
  refused('At 5.\n\n> Sam Roe: where is my car?', /begin with “>”/);
  refused(`${gmail}\n${quoted}\nAt 5.`, /nothing stands above the line “Write your reply/);
  refused(replyLine, /nothing stands above/);
});

test('what is quoted of the customer’s own words is taken out where the rest of our e-mail is gone', () => {
  assert.deepEqual(read('At 5 pm.\n\n> Is it ready?'), { text: 'At 5 pm.' });
  assert.deepEqual(
    read('On 4 April 2029 Kim wrote:\n> Is it\n> ready?\n\nAt 5 pm.\n\n> And the brakes?\n$250'),
    {
      refusal:
        'what you wrote has lines that begin with “>”, the mark of quotations: take them out, or write them without that mark',
    },
  );
  assert.deepEqual(
    read('On 4 April 2029 Kim wrote:\n> is it\n> ready?\n\nAt 5 pm.\n> what does it cost?\n$250'),
    {
      text: 'At 5 pm.\n$250',
    },
  );
  assert.deepEqual(read('\n> quoted'), { text: '' });
});

test('a second reply quotes the first, which is no part of it', () => {
  const first = `On 4 Apr 2029, at 16:10, Desk <${desk}> wrote:\n\n> At 5 pm.\n> \n> ${gmail}\n${quoted.replace(/^/gm, '> ')}`;
  assert.deepEqual(read(`No, at 6.\n\n${first}`), { text: 'No, at 6.' });
});

test('no text takes long, whatever is in it', () => {
  for (const piece of [
    '> ',
    '>\n',
    '-',
    '- ',
    '_\n',
    ':',
    'a:\n',
    '1',
    '1:',
    '<',
    'a@',
    'new answers from ',
    '1 new ',
    'Write ',
    '\u200b',
    '\u034f\u200c\n',
    ` ${'–'.repeat(197)}x\n`,
  ]) {
    const before = process.cpuUsage();
    for (const tail of ['', `\n${replyLine}`, '\nSubject: 1 new answer from Kim'])
      read(piece.repeat(20_000 / piece.length) + tail);
    const { user, system } = process.cpuUsage(before);
    assert.ok((user + system) / 1_000 < 200, `${(user + system) / 1_000} ms: ${JSON.stringify(piece)}`);
  }
});
