/** A form that is sent after its session ended is kept for ten minutes, for the next sign-in of the same person. */
import type { Context } from '#platform/context.ts';
import { findAnySession } from '../store.ts';
import { findKeptForm, putKeptForm } from './store.ts';

export interface KeptForm {
  /** The path that it was sent to, below /console. */
  readonly path: string;
  readonly fields: Readonly<Record<string, string>>;
}

const bytesAtMost = 32 * 1024;

type Needed = Pick<Context, 'db' | 'sealing'>;

/** Keeps a form that was sent with the token of a known session, if it has at most 32 KiB. True if it was kept. */
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

/** PINs and codes are dropped and must be typed again: they would be in the page that offers to send the form. */
const withoutSecrets = (fields: KeptForm['fields']): KeptForm['fields'] =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => !/pin$|code$/i.test(name)));

/** The form that is kept for the person of this session; null: none. */
export async function readKeptForm(
  { db, sealing }: Needed,
  { sessionId, personId }: { readonly sessionId: string; readonly personId: string },
): Promise<KeptForm | null> {
  const sealed = await findKeptForm(db, sessionId);
  const text = sealed === null ? null : sealing.open('keptForm', sealed, personId);
  return text === null ? null : (JSON.parse(text) as KeptForm);
}
