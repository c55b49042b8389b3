/**
 * SQL conditions for the beginning of a page ordered by id. An index scan can start at them, also in a generic plan. (It could not
 * with `$1 IS NULL OR id > $1`: a generic plan then reads all rows of the earlier pages again.)
 */
import { nilId } from '#base/values/id.ts';

/** No row has them. */
export const lowestId = nilId;
export const highestId = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** For ascending pages: `parameter`, such as `$2`, is the last id of the previous page, or null for the first page. */
export const afterId = (column: string, parameter: string) =>
  `${column} > coalesce(${parameter}::uuid, '${lowestId}')`;

/** For descending pages, in the same way. */
export const beforeId = (column: string, parameter: string) =>
  `${column} < coalesce(${parameter}::uuid, '${highestId}')`;
