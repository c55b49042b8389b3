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
  /** Of notices of quotes alone. */
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

/** The template variables of one message, as people read them; missing values and null render as nothing. */
export type TemplateVariables = { readonly [Root in TemplateRoot]?: Fields<Root> };
