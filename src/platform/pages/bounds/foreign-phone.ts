/** On pages anyone can name a phone: one of another country than the workshop's is refused, unless the operator lists that country. */
import type { Config } from '#base/config.ts';
import { countryOf } from '#base/values/phone.ts';
import type { FieldError } from '#errors.ts';

/** The fault of a phone (E.164), for the field that it was typed into; none for null. */
export function foreignPhone(
  field: string,
  phone: string | null,
  shop: { readonly name: string; readonly country: string },
  { pageSmsCountries }: Pick<Config, 'pageSmsCountries'>,
): FieldError[] {
  if (phone === null) return [];
  const country = countryOf(phone);
  if (country !== null && [shop.country, ...pageSmsCountries].includes(country)) return [];
  return [
    {
      field,
      message: `This number is of another country: please call ${shop.name} to book with it`,
    },
  ];
}
