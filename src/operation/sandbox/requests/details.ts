/** The descriptions of this folder's operations below their first paragraph: a list in Markdown, an item each. */

export const listSandboxRequestsDetails = [
  '`GET /sandbox/requests` shows the last 200 requests of partners, newest first: those to their operations, refused ones ' +
    'too, and those to no operation that carry an `X-Partner-ID`. Each process keeps its own, in memory, and says which one ' +
    'answered (`processId`). Secrets, tokens, passwords and the queries of links in bodies are shown as `…`. With a real ' +
    'gateway nothing of a body but the names of its fields is kept, and of a path its pattern. Without a sandbox there is ' +
    'no request log.',
] as const;
