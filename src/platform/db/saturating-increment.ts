/**
 * SQL: a count of type smallint plus one. It stops at the maximum of the type, since an overflow would fail the statement for all
 * its rows.
 */
export const saturatingIncrement = (count: string) => `least(${count}, 32766::smallint) + 1`;
