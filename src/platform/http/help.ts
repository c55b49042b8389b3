/** Where the served page of the errors says what to do. */
import type { ErrorCode } from '#errors.ts';

const page = '/docs/guide/errors';

/** The path of a code's entry; null is 429, which carries none. */
export const helpOf = (code: ErrorCode | null): string => `${page}#${code ?? 'statuses-without-a-code'}`;
