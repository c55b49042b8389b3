/** The text of a long SMS, from the octets of its parts. */
import { type Charset, decodeOctets } from '#platform/gateways/sms/charset.ts';
import type { LongSms } from './store.ts';

/** Stands for a missing part. */
const missing = ' […] ';

interface Run {
  readonly octets: Buffer;
  readonly charset: Charset;
}

/** Adjacent parts of one alphabet are decoded together, because a character may begin in one part and end in the next. */
export function bodyOf({ parts, charsets }: Pick<LongSms, 'parts' | 'charsets'>): string {
  const runs: (Run | null)[] = [];
  for (const [index, octets] of parts.entries()) {
    const charset = charsets[index] ?? null;
    const before = runs.at(-1);
    if (octets === null || charset === null) runs.push(null);
    else if (before?.charset === charset)
      runs.splice(-1, 1, { charset, octets: Buffer.concat([before.octets, octets]) });
    else runs.push({ charset, octets });
  }
  return runs.map((run) => (run === null ? missing : decodeOctets(run.octets, run.charset))).join('');
}
