/** The sender's details of a job, in words for those who do it. */
import { categoryLabels } from '#product/catalogue/categories.ts';
import type { AnyBooking } from './schema.ts';

export interface Job
  extends Pick<
    AnyBooking,
    'serviceCategory' | 'servicePackageType' | 'jobNotes' | 'productNotes' | 'tyreQuantities' | 'interval'
  > {
  readonly vin: string | null;
  readonly company: string | null;
  /** The partner's own reference. */
  readonly externalId: string | null;
}

export const jobOf = (booking: AnyBooking): Job => ({
  ...booking,
  vin: booking.car.vin,
  company: booking.customerCompany ?? booking.customer.company,
});

/** Each fact with its label, without those that were not given; a note a line (specification: The front desk 8). */
export function jobFacts(job: Job): readonly (readonly [label: string, text: string])[] {
  const { serviceCategory, servicePackageType, jobNotes, productNotes, tyreQuantities, interval } = job;
  return (
    [
      ['Category', serviceCategory === null ? null : categoryLabels[serviceCategory]],
      ['Package', servicePackageType],
      ['Job notes', jobNotes.join('\n')],
      ['Parts', productNotes.join('\n')],
      ['Tyres', tyreQuantities],
      ['Interval', interval],
      ['VIN', job.vin],
      ['Company', job.company],
      ['Reference', job.externalId],
    ] as const
  ).flatMap(([label, value]) => (value === null || value === '' ? [] : [[label, String(value)] as const]));
}
