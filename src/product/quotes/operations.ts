/** The operations of quotes (specification: Quotes). */
import { Type } from 'typebox';
import { out, ref } from '#platform/http/fields.ts';
import { exampleIds } from '#platform/http/openapi-examples.ts';
import { operation } from '#platform/http/operation.ts';
import { pageOfItems } from '#platform/http/paging.ts';
import { createQuoteDetails, getQuoteDetails } from './details.ts';
import { createQuoteExamples, getQuoteExamples, listQuotesExamples } from './examples.ts';
import { CreateQuoteBody, ListQuotesQuery, Quote, QuoteAnswerRef } from './schema.ts';

export const createQuote = operation({
  id: 'createQuote',
  method: 'POST',
  path: '/quotes',
  tag: 'Quotes',
  access: 'partner',
  summary: 'Request a quote',
  description:
    'The workshop is told by SMS and e-mail, unless `skipNotification` is true. Once it has priced the quote, the customer gets a ' +
    'link by SMS and e-mail, and accepts with a time or declines there: accepting makes a booking. Customer and car are found ' +
    'or made as for a booking.',
  details: createQuoteDetails,
  idempotent: true,
  versioned: true,
  checksBody: true,
  body: CreateQuoteBody,
  success: { status: 201, schema: QuoteAnswerRef },
  refusals: { 403: ['000004'], 404: ['030001'] },
  examples: createQuoteExamples,
});

export const getQuote = operation({
  id: 'getQuote',
  method: 'GET',
  path: '/quotes/{id}',
  tag: 'Quotes',
  access: 'partner',
  summary: 'Read a quote',
  description: 'One that you requested; quotes of other partners are not found.',
  details: getQuoteDetails,
  versioned: true,
  params: Type.Object({
    id: out.string({ description: "The quote's id.", examples: [exampleIds.quote] }),
  }),
  success: { status: 200, schema: QuoteAnswerRef },
  refusals: { 404: ['050001'] },
  examples: getQuoteExamples,
});

export const listQuotes = operation({
  id: 'listQuotes',
  method: 'GET',
  path: '/quotes',
  tag: 'Quotes',
  access: 'partner',
  summary: 'List your quotes',
  description:
    'Newest first. With `updatedSince` it is a feed of changes, oldest first, whose `nextCursor` is never null: keep it and ask ' +
    'with it again to get what changed since, each quote at least once. A cursor goes with the filters of the request that gave it.',
  query: ListQuotesQuery,
  success: { status: 200, schema: pageOfItems('quotes', ref(Quote), 'A page of quotes.') },
  refusals: { 404: ['030001'] },
  examples: listQuotesExamples,
});
