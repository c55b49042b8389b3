/** The tags that a workshop's staff give a customer, to find them by (audiences of blasts). */

import type { Clock } from '#base/clock.ts';
import { foundById, InvalidInput } from '#base/operator-error.ts';
import type { Actor } from '#base/values/actor.ts';
import { normaliseString } from '#base/values/text.ts';
import type { FieldError } from '#errors.ts';
import { recordEntry } from '#platform/audit/record.ts';
import type { Database } from '#platform/db/database.ts';
import { type CustomerRecord, findCustomer } from './store.ts';
import { changeTags, type TagsChanged } from './tags/store.ts';
import { ofCustomer } from './trail.ts';

const lengthAtMost = 64;
const tagsAtMost = 100;

export interface TagChange {
  readonly add: readonly string[];
  readonly remove: readonly string[];
}

function readTags(field: string, texts: readonly string[], errors: FieldError[]): string[] {
  return texts.map((text) => {
    const tag = normaliseString(text);
    const isFit = tag !== '' && tag.length <= lengthAtMost && !/\p{Cc}/u.test(tag);
    if (!isFit) errors.push({ field, message: `must have 1 to ${lengthAtMost} characters, on one line` });
    return tag;
  });
}

/** Idempotent; tags are compared as they are written. Throws InvalidInput, and OperatorError when there is no such customer. */
export async function setTags(
  db: Database,
  clock: Clock,
  customerId: string,
  change: TagChange,
  actor: Actor,
): Promise<CustomerRecord> {
  const errors: FieldError[] = [];
  const [add, remove] = [readTags('add', change.add, errors), readTags('remove', change.remove, errors)];
  if (errors.length > 0) throw new InvalidInput(errors);
  return db.transaction(async (tx) => {
    const at = clock.now();
    let tags: TagsChanged | null = null;
    const customer = await foundById('customer', customerId, async () => {
      tags = await changeTags(tx, customerId, add, remove, at);
      return findCustomer(tx, customerId);
    });
    if (customer.tags.length > tagsAtMost)
      throw new InvalidInput([{ field: 'add', message: `a customer has at most ${tagsAtMost} tags` }]);
    if (tags !== null)
      await recordEntry(tx, { ...ofCustomer(customer, actor, 'tagged', at), ...tagsOf(tags) });
    return customer;
  });
}

const tagsOf = ({ before, after }: TagsChanged) => ({ before: { tags: before }, after: { tags: after } });
