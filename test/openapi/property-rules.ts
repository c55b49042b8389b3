/** Our rules for Spectral: each property of each structure says what it is, and a closed set of words is an enum. */
import type { RulesetFunction } from '@stoplight/spectral-core';

interface Schema {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly items?: Schema;
}
type Properties = Readonly<Record<string, Schema>>;
export type Check = RulesetFunction<Properties, null>;

/** One finding for each property that `isWrong` names. References are resolved: a structure's own description is enough. */
function eachProperty(message: string, isWrong: (name: string, schema: Schema) => boolean): Check {
  return (properties, _options, { path }) =>
    Object.entries(properties)
      .filter(([name, schema]) => isWrong(name, schema))
      .map(([name]) => ({ message: `${name} ${message}`, path: [...path, name] }));
}

export const undescribed = eachProperty('has no description', (_name, { description }) => !description);

/** How properties are called that hold a word of a closed set. */
const wordNames =
  /(?:^|[a-z])(?:status|state|reason|outcome|channel|direction|encoding|category|categories|method|actions?|errorCode)$/i;
/** A description that lists the words: `a` or `b`. */
const listsWords = /`[a-z]\w+`,? (?:or|and) `[a-z]\w+`[.:]?$/;
/** Texts that people write, beside them. */
const freeTexts = [
  /^Why it is cancelled:/,
  /^Why it was cancelled,/,
  /^`service`, .* of a custom item any text/,
  /^Of a custom item; `others`/,
];

export const wordsWithoutEnum = eachProperty('is one of some words, without an enum', (name, schema) => {
  const {
    description = '',
    enum: words,
    type,
  } = schema.items?.type ? { ...schema, ...schema.items } : schema;
  if (words !== undefined || ![type].flat().includes('string')) return false;
  const text = schema.description ?? description;
  return (wordNames.test(name) || listsWords.test(text)) && !freeTexts.some((free) => free.test(text));
});
