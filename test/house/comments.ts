/** House rule about the form of comments: subject, verb, object, in the words of the field. */
import { finding, type Rule } from './rule.ts';
import { isProduct } from './source.ts';

const first =
  /(?:\/\*\*?|(?<![:\w'"`/])\/\/)\s+(?:\* )?((?:Of|What|Who|Whom|Whose|Nobody|None)\b[^\n*]{0,40})/g;
/** Put together, so that this file has no comment of the kind. */
const begins = (comment: string, words: string) => ({ 'src/a.ts': `${comment} ${words}\nconst a = 1;` });

const saysWhatItIs: Rule = {
  name: 'no comment of the product begins with Of, What, Who, Nobody or None',
  instead:
    'say what the thing is (“The most rows of a page”) or what it does (“Returns the weekday of a date”)',
  find: (files) =>
    files
      .filter(isProduct)
      .flatMap((file) =>
        [...file.text.matchAll(first)].map((match) =>
          finding(file, match.index, `“${(match[1] ?? '').trim()} …”`),
        ),
      ),
  bad: [
    begins('/**', 'Of a row. */'),
    begins('/**\n *', 'What the page shows.\n */'),
    begins('//', 'Nobody waits.'),
    begins('/*', 'Who asks. */'),
  ],
  good: [
    begins('/**', 'Whoever asks gets what is known, and nobody else. Of two the first wins. */'),
    {
      'src/a.ts': `const url = 'https://What.example'; // The rest\n`,
      'src/a.test.ts': '/** Of a row. */\n',
    },
  ],
};

export const commentRules: readonly Rule[] = [saysWhatItIs];
