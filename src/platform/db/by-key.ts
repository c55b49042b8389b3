/**
 * A condition that makes a statement look rows up by their key. A queue's tables are empty most of the time, and the planner then
 * takes them for one row: reading all of one of their indexes seems as cheap as one look-up in it, and a join may do the former for
 * each row of its other side. A plan like that is kept, and is slow as soon as the table has some hundred rows. With this condition
 * there is no such choice. `keys` is a query of few keys, which the rows that the statement changes have to match anyway.
 */
export const byKey = (column: string, keys: string) => `${column} = ANY (ARRAY(${keys}))`;
