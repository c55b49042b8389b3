/** A refusal as a page of the console. */
import { html } from '@remix-run/html-template';
import type { Problem } from '#errors.ts';
import { refusalText } from '#platform/pages/error-page.ts';
import type { ConsolePage } from './console-page.ts';

const titles: Readonly<Record<number, string>> = {
  401: 'Please sign in',
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
    main: html`<div class="card narrow refused"><h1>${title}</h1><p>${refusalText(problem, 'It was never there, or it is not one of yours.')}</p><p><a href="/console">Go on to your first page</a></p>${problem.status === 500 ? html`<p class="quiet">Reference: ${requestId}</p>` : null}</div>`,
  };
}
