/** `pitlane inbox attachment`: a picture that a customer sent, as a file. */
import { writeFile } from 'node:fs/promises';
import type { Command } from 'commander';
import { OperatorError } from '#base/operator-error.ts';
import type { Attachment } from '#product/messaging/attachments/store.ts';
import { withSession } from './session.ts';
import { verb } from './verb.ts';

export function registerAttachment(inbox: Command): void {
  const attachment = {
    usage: 'attachment <attachment>',
    summary: 'write a picture that a customer sent to a new file, which only you may read',
    examples: ['inbox attachment 0198c6aa-… --out damage.jpg'],
  };
  verb<{ out: string }>(inbox, attachment, ([id = ''], { out }) =>
    withSession(async ({ db }) => {
      const { openAttachment } = await import('#product/messaging/attachments/open.ts');
      const { content, ...found } = await openAttachment(db, id);
      await writeNew(out, content);
      return { json: { ...found, file: out }, text: `${out}: ${inWords(found)}` };
    }),
  ).requiredOption('--out <file>', 'the file to make (required)');
}

async function writeNew(path: string, content: Buffer): Promise<void> {
  try {
    await writeFile(path, content, { flag: 'wx', mode: 0o600 });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new OperatorError(
      code === 'EEXIST' ? `${path} is there already` : `${path} can not be written (${code})`,
    );
  }
}

/** `image/jpeg, 1.2 MB`; with the reason, if it is not stored. */
export function inWords({ contentType, sizeBytes, state, reason }: Omit<Attachment, 'attachmentId'>): string {
  const size = sizeBytes === null ? null : sizeInWords(sizeBytes);
  const fate = state === 'stored' ? null : [state, reason].filter(Boolean).join(': ');
  return [contentType, size, fate].filter(Boolean).join(', ');
}

function sizeInWords(bytes: number): string {
  return bytes < 100_000 ? `${Math.ceil(bytes / 1_000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}
