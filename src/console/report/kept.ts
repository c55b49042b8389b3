/** What was deleted is counted no more: since when all is still there. */
import type { Config } from '#base/config.ts';
import { addDays } from '#base/values/local-day.ts';

interface Kept {
  /** Since when all texts are still there. */
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
