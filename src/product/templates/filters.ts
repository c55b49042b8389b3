/** Our own filters. Rendered templates may contain links, so no filter that shortens a text cuts a link. */
import type { Context } from 'liquidjs';
import { linkAcross, linksIn } from '#base/values/links.ts';
import { asSentence } from '#base/values/sentence.ts';
import { shorten } from '#base/values/shorten.ts';

interface Filter {
  readonly context: Context;
}

const lengthAtMost = 10_000;

/** The text of a placeholder's value; empty for objects, lists and null. */
export function textOf(value: unknown): string {
  const isText = typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value);
  return isText ? String(value) : '';
}

function lengthOf(value: unknown, fallback: number): number {
  const length = Math.trunc(Number(value ?? fallback));
  return Number.isNaN(length) ? fallback : Math.min(Math.max(length, 0), lengthAtMost);
}

/** `{{ customer.name | shorten: 40 }}`: at most that many characters, without cutting a word or a link. */
function shortened(this: Filter, value: unknown, atMost?: unknown): string {
  const text = textOf(value);
  this.context.memoryLimit.use(text.length);
  return shorten(text, lengthOf(atMost, 50));
}

/** Liquid's `truncate`, which cuts at the length, or before a link that it would cut or touch. */
function truncate(this: Filter, value: unknown, atMost?: unknown, dots: unknown = '...'): string {
  const text = textOf(value);
  const end = textOf(dots);
  this.context.memoryLimit.use(text.length + end.length);
  const characters = [...text];
  const length = lengthOf(atMost, 50);
  if (characters.length <= length) return text;
  const kept = characters.slice(0, Math.max(length - [...end].length, 0)).join('');
  const links = linksIn(text);
  const link = linkAcross(links, kept.length) ?? links.find((one) => one.end === kept.length && end !== '');
  return (link ? text.slice(0, link.start) : kept) + end;
}

/** `{{ booking.cancelReason | sentence }}`: ends with a mark, for values that stand before another sentence. */
function sentence(this: Filter, value: unknown): string {
  const text = textOf(value);
  this.context.memoryLimit.use(text.length);
  return asSentence(text);
}

export const ownFilters = { shorten: shortened, truncate, sentence };
