/** The workshop whose page it is, as pages show it. */
import type { Weekday } from '#base/values/weekday.ts';

export interface ShopLogo {
  /** Below the service's address. */
  readonly path: string;
  /** In pixels. */
  readonly width: number;
  readonly height: number;
}

/** Beside a logo of more than this width for its height a phone has no room for the name. */
const bannerRatio = 2;

export const isBanner = ({ width, height }: Pick<ShopLogo, 'width' | 'height'>): boolean =>
  width > bannerRatio * height;

/** Clock times `HH:MM`. */
export interface ShopHours {
  readonly from: string;
  readonly to: string;
}

export interface Shop {
  readonly name: string;
  /** Its name in addresses. */
  readonly slug: string;
  /** Whether customers may book on its plain page. */
  readonly plainPage: boolean;
  /** E.164. */
  readonly phone: string;
  /** `#rrggbb`; null: the usual one. */
  readonly colour: string | null;
  readonly logo: ShopLogo | null;
  /** The address in the form that maps find; null: unknown. */
  readonly address: string | null;
  /** A weekday that is absent or empty is closed; null: the hours were never set. */
  readonly hours: Readonly<Partial<Record<Weekday, readonly ShopHours[]>>> | null;
  /** `https`; null: it has none. */
  readonly privacyUrl: string | null;
  readonly termsUrl: string | null;
  readonly cancellationText: string | null;
  /** Shown after totals, such as `incl. GST`; null: nothing. */
  readonly taxLabel: string | null;
}

/** The page that finds a booking of any workshop by its code and phone number. */
export const findPath = '/b';

/** The paths of a workshop's pages that need no link. */
export const lookUpPath = ({ slug }: Pick<Shop, 'slug'>) => `/book/${slug}/manage`;
export const plainPath = ({ slug }: Pick<Shop, 'slug'>) => `/book/${slug}`;
