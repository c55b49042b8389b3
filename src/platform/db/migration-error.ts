/** The database can't be brought to the state that this code needs; the message says what to do. */
export class MigrationError extends Error {}
