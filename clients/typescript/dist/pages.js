/**
 * Every page of a list, from `query.cursor` or the first on: `for await (const page of pages(pitlane.listBookings, { query }))`. Ends
 * with the page whose `nextCursor` is null. A feed of changes ends where there is nothing new, with an empty page whose `nextCursor` is
 * the cursor that it was asked with: keep it, and begin there the next time. Pages before may be empty too: filters left nothing of them.
 */
export async function* pages(list, request, options) {
    const { query } = request;
    let cursor = query?.cursor;
    for (;;) {
        const asked = { ...request, query: { ...query, cursor } };
        const page = (await list(asked, options));
        yield page;
        if (page.nextCursor === null || (page.nextCursor === cursor && itemsOf(page).length === 0))
            return;
        cursor = page.nextCursor;
    }
}
/** Every item of a list: `for await (const booking of each(pitlane.listBookings, { query }))`. */
export async function* each(list, request, options) {
    for await (const page of pages(list, request, options))
        yield* itemsOf(page);
}
/** A page has one array. */
function itemsOf(page) {
    return Object.values(page).find(Array.isArray) ?? [];
}
