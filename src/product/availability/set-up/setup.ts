/** A workshop's whole set-up: every section, without defaults. */

import type { Weekday } from '#base/values/weekday.ts';
import type { CategoryLimit, ServiceSettings } from '#product/catalogue/store.ts';
import type { CustomDay, TimeRange } from '../schedule.ts';

/** The page settings of the workshop; null: not set. */
export interface PageSettings {
  /** A data URL of a checked picture. */
  readonly logo: string | null;
  /** `https` */
  readonly privacyUrl: string | null;
  readonly termsUrl: string | null;
  readonly cancellationText: string | null;
}

export interface SetupSettings {
  readonly slotMinutes: number;
  readonly bays: number;
  readonly leadTimeMinutes: number;
  readonly horizonDays: number;
  readonly enforceAvailability: boolean;
  readonly bookingPage: boolean;
  /** Null: undecided, which means off; the first import of hours switches it on. */
  readonly plainPage: boolean | null;
  readonly customerMayChange: boolean;
  /** `#rrggbb`; null: the default. */
  readonly colour: string | null;
  readonly reminderMonths: number | null;
  /** Text after totals, such as `incl. GST`. */
  readonly taxLabel: string | null;
  readonly page: PageSettings;
}

export const defaultSettings: SetupSettings = {
  slotMinutes: 30,
  bays: 1,
  leadTimeMinutes: 0,
  horizonDays: 365,
  enforceAvailability: false,
  bookingPage: true,
  plainPage: null,
  customerMayChange: true,
  colour: null,
  reminderMonths: null,
  taxLabel: null,
  page: { logo: null, privacyUrl: null, termsUrl: null, cancellationText: null },
};

export interface Setup {
  /** Null: unknown. */
  readonly address: string | null;
  readonly settings: SetupSettings;
  readonly hours: Readonly<Record<Weekday, readonly TimeRange[]>>;
  readonly pickupTimes: Readonly<Record<Weekday, readonly string[]>>;
  /** By date. */
  readonly custom: readonly CustomDay[];
  /** Only categories with a limit, by code. */
  readonly categories: readonly CategoryLimit[];
  /** Active ones only, in order. */
  readonly services: readonly ServiceSettings[];
}

/** Settings in a file: an absent `page` or `plainPage` stays unchanged, and so does an absent `page.logo`. */
export type SentSettings = Omit<SetupSettings, 'page' | 'plainPage'> & {
  readonly plainPage?: boolean | null;
  readonly page?: Omit<PageSettings, 'logo'> & Partial<Pick<PageSettings, 'logo'>>;
};

/** The sections in a file. */
export type SentSetup = Partial<Omit<Setup, 'settings'> & { readonly settings: SentSettings }>;

/** The set-up after an import: an absent section stays. The first hours open the plain page, unless it was decided before. */
export function withSent(present: Setup, { settings, ...sections }: SentSetup): Setup {
  const page = { ...present.settings.page, ...settings?.page };
  const plainPage = settings?.plainPage ?? present.settings.plainPage ?? (sections.hours ? true : null);
  return { ...present, ...sections, settings: { ...present.settings, ...settings, page, plainPage } };
}
