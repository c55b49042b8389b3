/** The placeholders that a template may use: `{{ customer.firstName }}`. */

export const templateFields = {
  customer: ['name', 'firstName', 'lastName', 'email', 'phone', 'company'],
  workshop: ['name', 'phone', 'email', 'slug', 'address'],
  booking: [
    'code',
    'date',
    'time',
    'dateTime',
    'previousDateTime',
    'notes',
    'services',
    'servicePackageType',
    'pickupTime',
    'status',
    'externalId',
    'cancelReason',
  ],
  quote: [
    'code',
    'status',
    'services',
    'lines',
    'total',
    'validUntil',
    'message',
    'notes',
    'url',
    'externalId',
  ],
  car: ['rego', 'make', 'model', 'year', 'badge', 'vin', 'description'],
} as const;

export type TemplateRoot = keyof typeof templateFields;

/** Filled only when the message is about a booking. */
export const bookingRoots: readonly TemplateRoot[] = ['booking', 'car'];

type Fields<Root extends TemplateRoot> = {
  readonly [Field in (typeof templateFields)[Root][number]]?: string | number | null;
};

/** For each root that is filled only in notices of one subject, the name of these notices, for the refusal in other texts. */
export const noticeRoots: { readonly [Root in TemplateRoot]?: string } = {
  quote: 'notices of quotes only, such as quoteQuoted.customer.sms',
};

/** The template variables of one message as display texts; missing values and null render as nothing. */
export type TemplateVariables = { readonly [Root in TemplateRoot]?: Fields<Root> };
