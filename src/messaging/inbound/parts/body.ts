/** The text of a long SMS, from the octets of its parts. */
import { type Charset, decodeOctets } from '#gateways/sms/charset.ts';
import type { LongSms } from './store.ts';

/** Stands for a part that did not come. */
const missing = ' […] ';

type Parts = Pick<LongSms, 'texts' | 'octets' | 'charsets'>;

interface Piece {
  readonly octets: Buffer;
  readonly charset: Charset;
}

function pieceOf({ texts, octets, charsets }: Parts, index: number): Piece | null {
  const [asItCame, charset, text] = [octets?.[index], charsets?.[index], texts[index]];
  if (asItCame && charset) return { octets: asItCame, charset };
  return text ? { octets: text, charset: 'utf-16le' } : null;
}

/** Neighbours of one alphabet are decoded together: a character may begin in one part and end in the next. */
export function bodyOf(long: Parts): string {
  const runs: (Piece | null)[] = [];
  for (const index of long.texts.keys()) {
    const piece = pieceOf(long, index);
    const before = runs.at(-1);
    if (piece !== null && before?.charset === piece.charset) {
      runs.splice(-1, 1, { ...piece, octets: Buffer.concat([before.octets, piece.octets]) });
    } else runs.push(piece);
  }
  return runs.map((run) => (run === null ? missing : decodeOctets(run.octets, run.charset))).join('');
}
