/** Migrations, or files of functions, in one line. */

const listedAtMost = 5;

/** All of them, or of many the first, the last and how many they are. */
export function migrationsInWords(names: readonly string[]): string {
  if (names.length <= listedAtMost) return names.join(', ');
  return `${names.length} ${names[0]?.includes('/') ? 'functions' : 'migrations'}, ${names[0]} to ${names.at(-1)}`;
}
