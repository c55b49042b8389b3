/** `@pitlane/client`: the typed client of the Pitlane partner API. */
export * from './client.js';
export * from './errors.js';
export * from './operations.js';
export { each, pages } from './pages.js';
