/**
 * `node bin/run.mjs bench/bounces.ts --mails DIR --expected DIR` counts what the parser of bounces makes of the public corpus
 * sisimai/set-of-emails (`DIR`: its folder `maildir/bsd`) by the expectations of sisimai/p5-sisimai (a checkout), and names each mail
 * that it reads otherwise. docs/gateways/email.md has the table.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Compared, compare, type Verdict } from './bounces/compare.ts';
import { type Expected, expectedIn, unknownUserIn } from './bounces/expected.ts';

const { mails, expected } = parseArgs({
  options: { mails: { type: 'string' }, expected: { type: 'string' } },
}).values;
if (mails === undefined || expected === undefined) {
  throw new Error('say where the mails and the expectations are: --mails DIR --expected DIR');
}

const saysUnknown = unknownUserIn(expected);
const found: (Compared & Expected)[] = [];
for (const each of expectedIn(expected)) {
  const file = join(mails, `${each.mail}.eml`);
  if (existsSync(file)) found.push({ ...each, ...(await compare(readFileSync(file), each, saysUnknown)) });
}
if (found.length === 0) throw new Error(`no mail of the expectations is in ${mails}`);

const shown: Readonly<Record<Verdict, string>> = {
  right: 'right',
  wronglyMarked: 'an address wrongly marked',
  notMarked: 'an address that is gone not marked',
  dropped: 'a bounce dropped',
  otherKind: 'no bounce, taken for one',
};
const of = (verdict: Verdict) => found.filter((each) => each.verdict === verdict);
const marked = found.filter(({ bounce }) => bounce.kind === 'failed' && bounce.isAddressInvalid);
const lines = [
  '| | Mails |',
  '|---|---:|',
  `| with an expectation | ${found.length} |`,
  ...(Object.keys(shown) as Verdict[]).map((verdict) => `| ${shown[verdict]} | ${of(verdict).length} |`),
  '',
  `Marked: ${marked.length}. Delayed: ${found.filter(({ bounce }) => bounce.kind === 'delayed').length}.`,
  '',
  ...found
    .filter(({ verdict }) => verdict !== 'right')
    .map(({ mail, reasons, verdict, bounce }) => {
      const why = bounce.kind === 'failed' ? bounce.why.slice(0, 160) : bounce.kind;
      return `${mail} (${reasons.join(', ')}): ${shown[verdict]}: ${why}`;
    }),
];
process.stdout.write(`${lines.join('\n')}\n`);
