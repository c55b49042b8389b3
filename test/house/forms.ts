/** House rules about the forms of pages. */
import { matches, type Rule } from './rule.ts';
import { isProduct } from './source.ts';

/** Properties of a form or of any element that the scripts of pages read, htmx included: a field of that name stands in their place. */
const properties = [
  ...['id', 'action', 'method', 'target', 'elements', 'length', 'dataset', 'style', 'hidden', 'tagName'],
  ...['localName', 'nodeName', 'nodeType', 'attributes', 'textContent', 'innerHTML', 'isConnected', 'remove'],
  ...['children', 'childNodes', 'firstChild', 'nextSibling', 'parentNode', 'parentElement', 'closest'],
  ...['matches', 'contains', 'querySelector', 'querySelectorAll', 'getAttribute', 'setAttribute', 'append'],
  ...['before', 'after', 'replaceWith', 'cloneNode', 'submit', 'reset', 'requestSubmit', 'focus', 'animate'],
].join('|');

const fieldNames: Rule = {
  name: 'no field is named as a property of its form',
  instead: 'give the field another name: for scripts `form.id` is the field of that name, and no text',
  find: (files) =>
    matches(
      files,
      (file) => isProduct(file) && !file.path.startsWith('src/commands/'),
      'text',
      new RegExp(
        `(?:\\bhidden\\('|<(?:input|button|select|textarea)\\b[^>]*? name="|\\b(?:field|select|textArea)\\(\\{ name: ')(?:${properties})['"]`,
        'g',
      ),
    ),
  bad: [
    { 'src/console/a.ts': "hidden('id', text.id)" },
    { 'src/console/a.ts': 'html`<button class="quiet" name="remove" value="x">`' },
    { 'src/console/a.ts': "field({ name: 'action', label: 'What' })" },
  ],
  good: [
    { 'src/console/a.ts': "hidden('waiting', text.id)" },
    { 'src/console/a.ts': 'html`<input id="id" name="title">`' },
    { 'src/commands/a.ts': "hidden('id')" },
  ],
};

export const formRules: readonly Rule[] = [fieldNames];
