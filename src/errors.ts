/** The error catalogue and `Problem`, the one error that becomes a 4xx or 503 answer. */

interface CatalogueEntry {
  /** HTTP statuses that carry the code; the first is the default. */
  readonly status: readonly [number, ...number[]];
  readonly title: string;
}

export const catalogue = {
  '000001': { status: [400, 408, 414, 431], title: 'The request is not valid' },
  '000002': { status: [404, 405], title: 'No such path, or no such method there' },
  '000003': { status: [403], title: 'This feature is switched off' },
  '000004': { status: [403], title: 'Partner integration or inbox messaging is disabled for this workshop' },
  '000005': { status: [413], title: 'The body is too large' },
  '000006': { status: [415], title: 'The content type is not JSON' },
  '000007': { status: [503], title: 'The service is overloaded or shutting down' },
  '000008': { status: [422], title: 'This Idempotency-Key was used with another body or path' },
  '000009': { status: [409], title: 'A request with this key is still running' },
  '000010': { status: [412], title: 'If-Match does not match the present version' },
  '000500': { status: [500], title: 'Internal error' },
  '010000': { status: [401], title: 'Missing, unknown, expired or revoked access token' },
  '010001': { status: [401], title: 'Missing or unknown X-Partner-ID' },
  '010002': { status: [400], title: 'The refresh was rejected' },
  '010003': { status: [401], title: 'Wrong app key or secret' },
  '030001': { status: [404], title: 'Workshop not found' },
  '040001': { status: [404], title: 'Customer not found under this workshop' },
  '050001': { status: [404], title: 'Quote not found' },
  '060001': { status: [404, 400], title: 'Booking not found' },
  '060002': { status: [409], title: 'This status transition is not permitted' },
  '060003': {
    status: [409],
    title: 'No place is free then, a daily limit is reached, or the workshop is closed',
  },
  '060004': { status: [409], title: "This field can't be changed in the booking's present status" },
  '080001': { status: [404], title: 'Service reminder not found' },
  '080002': { status: [409], title: "This service reminder can't be cancelled in its present status" },
  '090001': { status: [404], title: 'Automation or blast not found' },
  '090002': { status: [409], title: "The blast can't be triggered in its present state" },
  '100001': { status: [404], title: 'Call lead not found' },
  '110001': { status: [404], title: 'Webhook endpoint or delivery not found' },
  '110002': { status: [409], title: 'Too many webhook endpoints' },
  '120001': { status: [404], title: 'Message not found' },
} as const satisfies Record<string, CatalogueEntry>;

export type ErrorCode = keyof typeof catalogue;

/** One failing field of a request: its path from the body's root (`services[0].cost`) and what is wrong with it. */
export interface FieldError {
  readonly field: string;
  readonly message: string;
}

export interface ProblemOptions {
  readonly status?: number;
  readonly message?: string;
  readonly errors?: readonly FieldError[];
  /** Fields that the code has beside the usual ones. */
  readonly details?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A refusal, which the caller gets as a response. `errorCode` is null only for 429, which carries none. */
export class Problem extends Error {
  readonly errorCode: ErrorCode | null;
  readonly status: number;
  readonly errors: readonly FieldError[] | undefined;
  readonly details: Readonly<Record<string, unknown>> | undefined;
  readonly headers: Readonly<Record<string, string>>;

  constructor(errorCode: ErrorCode | null, options: ProblemOptions = {}) {
    super(options.message ?? (errorCode ? catalogue[errorCode].title : 'Too many requests'));
    this.name = 'Problem';
    this.errorCode = errorCode;
    this.status = options.status ?? (errorCode ? catalogue[errorCode].status[0] : 429);
    this.errors = options.errors?.slice(0, 100);
    this.details = options.details;
    this.headers = options.headers ?? {};
  }
}

/** 400 000001 that names every failing field. */
export function invalidFields(errors: readonly FieldError[]): Problem {
  const first = errors[0];
  const more = errors.length > 1 ? ` (and ${errors.length - 1} more)` : '';
  return new Problem('000001', {
    message: first ? `${first.field}: ${first.message}${more}` : 'The request is not valid',
    errors,
  });
}

/** Throws 400 000001 when there is a fault. */
export function refuseFound(errors: readonly FieldError[]): void {
  if (errors.length > 0) throw invalidFields(errors);
}
