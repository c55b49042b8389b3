/** Writes the JSON Schema of a workshop's set-up, for editors and for programs that make such files. */
import { workshopSetup } from '#product/availability/set-up/format.ts';

/** What only this program's own validator knows; it checks more than a schema can say anyway. */
const customFormats = ['money', 'web-address'];

export function dumpWorkshopSchema(): string {
  const schema = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: "A workshop's set-up, as `pitlane workshop import` takes it",
    ...JSON.parse(JSON.stringify(workshopSetup)),
  };
  const text = JSON.stringify(
    schema,
    (key, value) => (key === 'format' && customFormats.includes(value) ? undefined : value),
    2,
  );
  return `${text}\n`;
}
