/** The time zone of the times on a page, for its footer. */
export function timesNote(shop: { readonly name: string; readonly timezone: string }): string {
  const place = shop.timezone.split('/').at(-1)?.replaceAll('_', ' ');
  return `Times are those of ${shop.name} (${place}).`;
}
