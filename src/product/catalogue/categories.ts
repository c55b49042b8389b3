/** The four categories of services. */

export const serviceCategories = ['service', 'tyres', 'repair', 'others'] as const;
export type ServiceCategory = (typeof serviceCategories)[number];

export const categoryLabels: Readonly<Record<ServiceCategory, string>> = {
  service: 'Maintenance',
  tyres: 'Tyres & Wheels',
  repair: 'Repair Services',
  others: 'Other Services',
};
