/** A person's own settings. */
import { InvalidInput } from '#base/operator-error.ts';
import { nameFault } from '#base/values/name.ts';
import { normaliseString } from '#base/values/text.ts';
import { Problem } from '#errors.ts';
import { type ChangeContext, change } from '#platform/change/change.ts';
import { lockVersion, type Preferences, updatePreferences } from './store.ts';

/**
 * `seen` is the version that the person has seen; absent: any. Throws Problem 412 for another one, InvalidInput for a name that is empty or too long.
 */
export async function setPreferences(
  context: ChangeContext,
  personId: string,
  { seen, ...sent }: Preferences & { readonly seen?: number },
): Promise<void> {
  const name = normaliseString(sent.name);
  const fault = nameFault(name);
  if (fault) throw new InvalidInput([{ field: 'name', message: fault }]);
  await change(context, async ({ tx, now }) => {
    const version = await lockVersion(tx, personId);
    if (version === null || version !== (seen ?? version)) throw new Problem('000010');
    await updatePreferences(tx, personId, { ...sent, name }, now);
  });
}
