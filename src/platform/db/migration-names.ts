/** Migrations, and files of functions, in one line. */

const listedAtMost = 5;

/** All of each kind, or of many the first, the last and how many they are: migrations have a name and functions a path. */
export function migrationsInWords(names: readonly string[]): string {
  const { migrations = [], functions = [] } = Object.groupBy(names, (name) =>
    name.includes('/') ? 'functions' : 'migrations',
  );
  return [inWords(migrations, 'migrations'), inWords(functions, 'files of functions')]
    .filter((words) => words !== '')
    .join('; ');
}

const inWords = (names: readonly string[], kind: string): string =>
  names.length <= listedAtMost ? names.join(', ') : `${names.length} ${kind}, ${names[0]} to ${names.at(-1)}`;
