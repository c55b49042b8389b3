/**
 * Submits every form of the console: it takes effect once, however often it is sent; it overwrites nothing that its sender has not
 * seen; and its refusals are shown beside what was typed.
 */
import { InvalidInput, OperatorError } from '#base/operator-error.ts';
import { type FieldError, Problem } from '#errors.ts';
import type { Context, OnlyOnce } from '#platform/context.ts';
import type { Form } from '#platform/pages/form.ts';
import { UndoRefused } from '#product/bookings/undo/refused.ts';
import type { ConsolePage, ConsoleResponse } from '../console-page.ts';
import type { Visit } from '../visit.ts';
import { beginForm, findLocation, type SentForm, setLocation } from './store.ts';

/** Why a form was refused, for its page. */
export interface Refused {
  /** The fault of each field, by the field's name in the form. */
  readonly faults: readonly FieldError[];
  /** The message; null where the faults say it all. */
  readonly message: string | null;
  /** The record was changed since the form was shown. */
  readonly isStale: boolean;
  /** The version after which the record was changed, where the form has none; null: the form's version. */
  readonly version: number | null;
  /** Free times (RFC 3339) instead of one that is not free. */
  readonly alternatives: readonly string[];
  /** The refusal itself. */
  readonly error: Error;
}

export interface FormKey {
  /**
   * The context for the verb: its change keeps the key, with the redirect's address, which a function makes of the change's result.
   */
  once<Made>(location: string | ((made: Made) => string)): Context;
}

const keyForm = /^[A-Za-z0-9-]{16,64}$/;

/**
 * `work` makes one change, with the context of `once`, and returns the address of the next page; `refused` shows the form again. Other
 * errors, such as a record that is gone, are thrown, and so is one where the change has not kept the key.
 */
export async function submit(
  { context, form, who: { personId } }: Visit,
  work: (key: FormKey) => Promise<string>,
  refused: (refusal: Refused) => Promise<ConsolePage> | ConsolePage,
): Promise<ConsoleResponse> {
  const { db } = context;
  const key = form['key'] ?? '';
  const isKey = keyForm.test(key);
  const first = isKey ? await findLocation(db, { personId, key }) : null;
  if (first !== null) return { to: first };
  let isKept = false;
  const formKey: FormKey = {
    once(location) {
      if (!isKey) throw new Problem('000001', { message: 'This form has no key. Open the page again.' });
      const onlyOnce = keptBy({ personId, key }, location, () => {
        isKept = true;
      });
      return { ...context, onlyOnce };
    },
  };
  try {
    const to = await work(formKey);
    if (!isKept) throw new Error('a form was submitted whose change has not kept its key');
    return { to };
  } catch (error) {
    // Sent twice concurrently: the second is refused by its key.
    const other = isKey ? await findLocation(db, { personId, key }) : null;
    if (other !== null) return { to: other };
    const refusal = refusalOf(error);
    if (refusal === null) throw error;
    return { ...(await refused(refusal)), isRefusal: true };
  }
}

function keptBy<Made>(
  form: Omit<SentForm, 'location'>,
  location: string | ((made: Made) => string),
  kept: () => void,
): OnlyOnce {
  const isKnown = typeof location === 'string';
  return {
    begin: (tx) => beginForm(tx, { ...form, location: isKnown ? location : '' }),
    async end(tx, made) {
      if (!isKnown) await setLocation(tx, { ...form, location: location(made as Made) });
      kept();
    },
  };
}

/** A form as it was sent, whose version is one that a record can have: of anything else it is 0, which none has. */
export function withVersion(form: Form): Form {
  const { version } = form;
  return version === undefined || /^\d{1,9}$/.test(version) ? form : { ...form, version: '0' };
}

/** The version that the form carries; 0: none. */
export const versionOf = (form: Form): number => Number(form['version']) || 0;

/**
 * The version of a form that is shown again, whose record has `present` by now. One that is refused for what was typed keeps the version
 * that its sender has seen: with another one it would overwrite a change that they have not seen.
 */
export const versionShown = (form: Form, refused: Refused | null, present: number): number =>
  refused === null || refused.isStale || form['version'] === undefined ? present : versionOf(form);

/** A refusal for the page of its form; null for another error. */
export function refusalOf(error: unknown): Refused | null {
  const none = { faults: [], isStale: false, version: null, alternatives: [] };
  if (error instanceof InvalidInput)
    return { ...none, error, faults: error.errors, message: error.errors.length > 0 ? null : error.message };
  if (error instanceof OperatorError) return { ...none, error, message: error.message };
  if (error instanceof UndoRefused) {
    const isStale = error.reason === 'changedMeanwhile';
    return { ...none, error, isStale, version: error.version, message: isStale ? null : error.message };
  }
  if (!(error instanceof Problem)) return null;
  switch (error.status) {
    case 400:
      return { ...none, error, faults: error.errors ?? [], message: error.errors ? null : error.message };
    case 409: {
      const { alternatives } = error.details ?? {};
      return { ...none, error, message: error.message, alternatives: textsOf(alternatives) };
    }
    case 412:
      return { ...none, error, isStale: true, message: null };
    case 422:
    case 429:
      return { ...none, error, message: error.message };
    default:
      return null;
  }
}

const textsOf = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((each): each is string => typeof each === 'string') : [];
