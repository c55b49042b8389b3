/** Why a time of a workshop is not free: said in its availabilities, and by the refusal of a booking. */

/** In order of precedence: the first that applies is given. */
export const reasons = [
  'closed',
  'custom',
  'break',
  'past',
  'leadTime',
  'horizon',
  'serviceLimit',
  'categoryLimit',
  'full',
] as const;
export type Reason = (typeof reasons)[number];
