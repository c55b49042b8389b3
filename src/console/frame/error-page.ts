/** A refusal as a page of the console. */
import { html } from '@remix-run/html-template';
import type { Problem } from '#errors.ts';
import type { ConsolePage } from './place.ts';

const titles: Readonly<Record<number, string>> = {
  403: 'You may not do this',
  404: 'There is no such page',
  429: 'Too much at once',
  500: 'Something went wrong',
  503: 'Please try again in a moment',
};

export function refusalPage(problem: Problem, requestId: string): ConsolePage {
  const title = titles[problem.status] ?? 'That did not work';
  return {
    title,
    main: html`<div class="card narrow refused"><h1>${title}</h1><p>${textOf(problem)}</p><p><a href="/console">Go on to your first page</a></p>${problem.status === 500 ? html`<p class="quiet">Reference: ${requestId}</p>` : null}</div>`,
  };
}

function textOf({ status, message, headers }: Problem): string {
  switch (status) {
    case 404:
      return 'It was never there, or it is not one of yours.';
    case 429: {
      const minutes = Math.ceil(Number(headers['retry-after'] ?? 60) / 60);
      return `${message}. Try again in ${minutes === 1 ? 'a minute' : `${minutes} minutes`}.`;
    }
    case 500:
      return 'This is our fault, and it is recorded.';
    case 503:
      return 'There is too much to do right now.';
    default:
      return message;
  }
}
