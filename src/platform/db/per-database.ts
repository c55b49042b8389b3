/** Values that a process keeps in memory about a database. Tests and commands may open several in one process. */

/** A function that gives each database its own value, which `make` made at its first use. */
export function perDatabase<T, Db extends object = object, Rest extends unknown[] = []>(
  make: (db: Db, ...rest: Rest) => T,
): (db: Db, ...rest: Rest) => T {
  const known = new WeakMap<Db, T>();
  return (db, ...rest) => {
    let value = known.get(db);
    if (value === undefined) {
      value = make(db, ...rest);
      known.set(db, value);
    }
    return value;
  };
}
