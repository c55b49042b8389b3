/** Walks through the pages of a list. */
import type { CallOptions } from './client.js';
interface Page {
    readonly nextCursor: string | null;
}
/** A method of the client that lists something. */
type List = (request: never, options?: CallOptions) => Promise<Page>;
type RequestOf<Method extends List> = NonNullable<Parameters<Method>[0]>;
type PageOf<Method extends List> = Awaited<ReturnType<Method>>;
/** An element of the one array of a page. */
export type ItemOf<Answer> = {
    [Key in keyof Answer]: Answer[Key] extends readonly (infer Item)[] ? Item : never;
}[keyof Answer];
/**
 * Every page of a list, from `query.cursor` or the first on: `for await (const page of pages(pitlane.listBookings, { query }))`. Ends
 * with the page whose `nextCursor` is null. A feed of changes ends where there is nothing new, with an empty page whose `nextCursor` is
 * the cursor that it was asked with: keep it, and begin there the next time. Pages before may be empty too: filters left nothing of them.
 */
export declare function pages<Method extends List>(list: Method, request: RequestOf<Method>, options?: CallOptions): AsyncGenerator<PageOf<Method>, void, undefined>;
/** Every item of a list: `for await (const booking of each(pitlane.listBookings, { query }))`. */
export declare function each<Method extends List>(list: Method, request: RequestOf<Method>, options?: CallOptions): AsyncGenerator<ItemOf<PageOf<Method>>, void, undefined>;
export {};
