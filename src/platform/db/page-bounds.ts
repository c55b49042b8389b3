/**
 * SQL of what pages by id begin at: conditions that an index can begin a scan with, also by a plan that was made for any value.
 * (`$1 IS NULL OR id > $1` is none: such a plan reads all rows of the earlier pages again.)
 */
import { nilId } from '#base/values/id.ts';

/** No row has them. */
export const lowestId = nilId;
export const highestId = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** For ascending pages: `parameter`, such as `$2`, is the last id of the page before, or null for the first page. */
export const afterId = (column: string, parameter: string) =>
  `${column} > coalesce(${parameter}::uuid, '${lowestId}')`;

/** For descending pages, in the same way. */
export const beforeId = (column: string, parameter: string) =>
  `${column} < coalesce(${parameter}::uuid, '${highestId}')`;
