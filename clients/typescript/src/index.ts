/** `@pitlane/client`: the typed client of the Pitlane partner API. */
export * from './client.ts';
export * from './errors.ts';
export * from './operations.ts';
export { each, type ItemOf, pages } from './pages.ts';
export type { Credentials } from './session.ts';
