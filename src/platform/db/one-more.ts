/** SQL: one more than a count of type smallint, which stops at the most that it holds: past that the statement would fail, for all its rows. */
export const oneMore = (count: string) => `least(${count}, 32766::smallint) + 1`;
