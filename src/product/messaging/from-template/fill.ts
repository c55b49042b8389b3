/** Fills a template for one customer and a booking of theirs; a person edits the text before it is sent. */
import { normaliseString } from '#base/values/text.ts';
import type { Queryable } from '#platform/db/database.ts';
import type { TemplateVariables } from '#product/templates/fields.ts';
import { renderTemplate } from '#product/templates/render.ts';
import { findTemplateNamed } from '#product/templates/store.ts';
import { TemplateError } from '#product/templates/template-error.ts';
import { findNextBooking, findVersionOf, readRecipients } from './store.ts';
import { variablesOf } from './version.ts';

export interface Filling {
  readonly workshopId: string;
  readonly templateId: string;
  readonly customerId: string;
  /** A booking of this customer; null: their next one. */
  readonly bookingId: string | null;
  /** Business time: the next booking is the first one after it. */
  readonly now: Date;
  /** Removes the parts of a value that the person may not see; what is removed counts as missing. */
  readonly shown: (value: string) => string;
}

export interface Filled {
  readonly text: string;
  /** The placeholders without a value, such as `booking.date`. */
  readonly missing: readonly string[];
}

/**
 * Takes at most three statements. Null when it is not a published inbox template of the workshop, has no text, or the customer
 * belongs to another workshop.
 */
export async function fillTemplate(
  db: Queryable,
  { workshopId, templateId, customerId, bookingId, now, shown }: Filling,
): Promise<Filled | null> {
  const template = await findTemplateNamed(db, workshopId, templateId);
  if (template?.purpose !== 'inbox' || template.status !== 'published') return null;
  const version = await findVersionOf(db, { workshopId, templateId: template.id, version: template.version });
  const next = bookingId === null ? await findNextBooking(db, workshopId, { customerId, now }) : null;
  const [known] = await readRecipients(db, workshopId, [next ?? { customerId, bookingId }]);
  if (version === null || known === undefined) return null;
  const variables = seen(variablesOf(known, version.workshop, 'sms'), shown);
  try {
    const text = normaliseString(renderTemplate(version.body, variables));
    return { text, missing: version.placeholders.filter((path) => valueAt(variables, path) === '') };
  } catch (error) {
    if (error instanceof TemplateError) return null;
    throw error;
  }
}

type Values = Readonly<Record<string, Readonly<Record<string, unknown>> | undefined>>;

function valueAt(variables: TemplateVariables, path: string): string {
  const [root = '', name = ''] = path.split('.');
  return String((variables as Values)[root]?.[name] ?? '');
}

/** Values of the workshop itself are visible to everybody. */
function seen(variables: TemplateVariables, shown: (value: string) => string): TemplateVariables {
  const roots = Object.entries(variables).map(([root, values]) => {
    if (root === 'workshop') return [root, values];
    const each = Object.entries(values).map(([name, value]) => {
      const text = String(value ?? '');
      return [name, shown(text) === text ? text : ''];
    });
    return [root, Object.fromEntries(each)];
  });
  return Object.fromEntries(roots);
}
