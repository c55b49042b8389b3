/** The editable texts of a template: name, body, and the subject of an e-mail notice. */

import { holdsLink } from '#base/values/callers-links.ts';
import { linkWarnings } from '#base/values/link-warnings.ts';
import { nameFault } from '#base/values/name.ts';
import { cleanText, normaliseString } from '#base/values/text.ts';
import type { FieldError } from '#errors.ts';
import { noticeRoots } from './fields.ts';
import { nearestPlaceholder } from './nearest.ts';
import { inspectTemplate, type TemplateInspection } from './render.ts';
import { TemplateError } from './template-error.ts';

export interface Texts {
  readonly name?: string;
  readonly body?: string;
  /** For an e-mail notice. */
  readonly subject?: string;
}

export interface JudgedTexts {
  /** Normalised; texts that were not given are absent. */
  readonly texts: Texts;
  /** For the body; null when there is none, or it does not parse. */
  readonly inspected: Pick<TemplateInspection, 'placeholders' | 'requiresBooking'> | null;
  readonly errors: readonly FieldError[];
  /** Sentences for people: placeholders that will render empty, with the nearest known one, and links that may break in an SMS. */
  readonly warnings: readonly string[];
}

/** Checks the given texts of a template. `purpose` is `inbox` or a notice's name. */
export function judgeTexts(given: Texts, purpose: string): JudgedTexts {
  const isEmail = purpose.endsWith('.email');
  const errors: FieldError[] = [];
  const warnings: string[] = [];
  const refuse = (field: keyof Texts, message: string | null) =>
    message !== null && errors.push({ field, message });

  function inspect(field: 'body' | 'subject', text: string): TemplateInspection | null {
    try {
      const inspected = inspectTemplate(text);
      for (const [root, those] of Object.entries(noticeRoots)) {
        const path = inspected.placeholders.find((each) => each.startsWith(`${root}.`));
        if (path !== undefined && !purpose.startsWith(root)) refuse(field, `${path} is for ${those}`);
      }
      for (const path of inspected.unknown) {
        warnings.push(
          `${path} is no placeholder and will render empty: did you mean ${nearestPlaceholder(path)}?`,
        );
      }
      return inspected;
    } catch (error) {
      if (!(error instanceof TemplateError)) throw error;
      refuse(field, error.message);
      return null;
    }
  }

  const texts = normalised(given);
  if (texts.name !== undefined) refuse('name', nameFault(texts.name));
  let inspected: TemplateInspection | null = null;
  if (texts.body !== undefined) {
    refuse('body', textFault(texts.body));
    if (linkless.test(purpose) && holdsLink(filledIn(texts.body)))
      refuse('body', 'must hold no link: that of the booking is added');
    inspected = inspect('body', texts.body);
    if (!isEmail) warnings.push(...linkWarnings(filledIn(texts.body)));
  }
  if (texts.subject !== undefined) {
    refuse('subject', isEmail ? nameFault(texts.subject) : 'is for e-mail notices only');
    inspect('subject', texts.subject);
  }
  return { texts, inspected, errors, warnings: [...new Set(warnings)] };
}

function normalised(given: Texts): Texts {
  const entries = Object.entries(given).filter(([, text]) => text !== undefined);
  return Object.fromEntries(
    entries.map(([field, text]) => [field, field === 'body' ? cleanText(text) : normaliseString(text)]),
  );
}

function textFault(text: string): string | null {
  if (text === '') return 'must not be empty';
  return text.includes('\0') ? 'must not have NUL characters' : null;
}

/** Notices that may contain no link but ours. */
const linkless = /^bookingCarReady\./;

/** The body with a letter for each placeholder, as it might be rendered. One that nothing ends takes the rest, and is looked for no further. */
const filledIn = (body: string) =>
  body.replace(/\{%.*?(?:%\}|$)/gsu, '').replace(/\{\{.*?(?:\}\}|$)/gsu, 'x');
