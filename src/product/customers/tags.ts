/** The tags that a workshop's staff give a customer, to find them by (audiences of blasts). */
import { InvalidInput } from '#base/operator-error.ts';
import type { Actor } from '#base/values/actor.ts';
import { normaliseString } from '#base/values/text.ts';
import type { FieldError } from '#errors.ts';
import { recordEntry } from '#platform/audit/record.ts';
import { type ChangeContext, change } from '#platform/change/change.ts';
import { holdCustomer } from './hold.ts';
import { type CustomerRecord, requireCustomer } from './store.ts';
import { changeTags, type TagsChanged } from './tags/store.ts';
import { ofCustomer } from './trail.ts';

const lengthAtMost = 64;
export const tagsAtMost = 100;

/** Whether a normalised text is a valid tag. */
export const isTag = (tag: string): boolean =>
  tag !== '' && tag.length <= lengthAtMost && !/\p{Cc}/u.test(tag);

export interface TagChange {
  readonly add: readonly string[];
  readonly remove: readonly string[];
}

function readTags(field: string, texts: readonly string[], errors: FieldError[]): string[] {
  return texts.map((text) => {
    const tag = normaliseString(text);
    if (!isTag(tag))
      errors.push({ field, message: `must have 1 to ${lengthAtMost} characters, on one line` });
    return tag;
  });
}

export interface SetTags extends TagChange {
  /** Null: any workshop, for the operator. */
  readonly workshopId: string | null;
  readonly customerId: string;
  /** The version that the form showed; absent: any. */
  readonly seen?: number;
  readonly actor: Actor;
}

/**
 * Idempotent; tags are case-sensitive. Throws InvalidInput, OperatorError when there is no such customer, 404 040001 for a customer
 * that is not the workshop's, and 412 000010 for another version.
 */
export async function setTags(
  context: ChangeContext,
  { workshopId, customerId, seen, actor, ...tagged }: SetTags,
): Promise<CustomerRecord> {
  const errors: FieldError[] = [];
  const [add, remove] = [readTags('add', tagged.add, errors), readTags('remove', tagged.remove, errors)];
  if (errors.length > 0) throw new InvalidInput(errors);
  return change(context, async ({ tx, now: at }) => {
    await holdCustomer(tx, workshopId, customerId, seen);
    const tags = await changeTags(tx, customerId, add, remove, at);
    const customer = await requireCustomer(tx, customerId);
    if (customer.tags.length > tagsAtMost)
      throw new InvalidInput([{ field: 'add', message: `a customer has at most ${tagsAtMost} tags` }]);
    if (tags !== null)
      await recordEntry(tx, { ...ofCustomer(customer, actor, 'tagged', at), ...tagsOf(tags) });
    return customer;
  });
}

const tagsOf = ({ before, after }: TagsChanged) => ({ before: { tags: before }, after: { tags: after } });
