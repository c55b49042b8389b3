/** What was typed is not lost when a session ends: the form waits ten minutes for the same person's next sign-in. */
import type { Context } from '#platform/context.ts';
import { findAnySession } from '../store.ts';
import { findKeptForm, putKeptForm } from './store.ts';

export interface KeptForm {
  /** Where it was sent to: a path below /console. */
  readonly path: string;
  readonly fields: Readonly<Record<string, string>>;
}

const bytesAtMost = 32 * 1024;

type Needed = Pick<Context, 'db' | 'sealing'>;

/** Keeps what was sent with the token of a session that there was; else nothing, and nothing that is over 32 KiB. Whether it did. */
export async function keepForm(
  { db, sealing }: Needed,
  tokenSha256: Buffer,
  form: KeptForm,
): Promise<boolean> {
  const text = JSON.stringify({ ...form, fields: withoutSecrets(form.fields) });
  if (Buffer.byteLength(text) > bytesAtMost) return false;
  const session = await findAnySession(db, tokenSha256);
  if (session === null) return false;
  await putKeptForm(db, session.sessionId, sealing.seal('keptForm', text, session.personId));
  return true;
}

/** PINs and codes are typed again: they would stand in the page that offers to send the form. */
const withoutSecrets = (fields: KeptForm['fields']): KeptForm['fields'] =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => !/pin$|code$/i.test(name)));

/** What waits for the person of this session; null: nothing. */
export async function readKeptForm(
  { db, sealing }: Needed,
  { sessionId, personId }: { readonly sessionId: string; readonly personId: string },
): Promise<KeptForm | null> {
  const sealed = await findKeptForm(db, sessionId);
  const text = sealed === null ? null : sealing.open('keptForm', sealed, personId);
  return text === null ? null : (JSON.parse(text) as KeptForm);
}
