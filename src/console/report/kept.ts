/** Deleted records are not counted: the dates since which all records are kept. */
import type { Config } from '#base/config.ts';
import { addDays } from '#base/values/local-day.ts';

interface Kept {
  /** The date since which all texts are kept. */
  readonly texts: string;
  readonly quotes: string;
}

/** Local dates, with a day to spare for the hour of the deletion. */
export function keptSince(
  config: Pick<Config, 'noticesKeptDays' | 'messagesKeptDays' | 'quotesKeptDays'>,
  today: string,
): Kept {
  const { noticesKeptDays, messagesKeptDays, quotesKeptDays } = config;
  const since = (days: number) => addDays(today, 1 - days);
  return {
    texts: since(Math.min(noticesKeptDays, messagesKeptDays ?? noticesKeptDays)),
    quotes: since(quotesKeptDays),
  };
}
