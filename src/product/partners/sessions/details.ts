/** The descriptions of this folder's operations below their first paragraph: a list in Markdown, an item each. */

export const signInDetails = [
  'Signing in makes a new sign-in each time; earlier ones stay. There is no limit on how many are open.',
  "Failed sign-ins are counted by the partner id in the header and the caller's address, IPv6 by /64. 11th failure within " +
    'a minute: 429. A success uses nothing up. Ids that no partner has count together, by address alone. Over all addresses ' +
    'a partner may fail a hundred times a minute with app keys that it has, and a hundred times with others: who knows no ' +
    'key does not keep it from signing in.',
  'While many sign in at once, 503 `000007` with `Retry-After`: at most two secrets are checked at a time in one process.',
  'A suspended partner gets 010003 at sign-in, 010002 at refresh, 010000 elsewhere. Activated again, its tokens work ' +
    'again.',
  'Deleting an app key ends its sign-ins. Tokens are remembered for at most 2 seconds by a process, so revoking takes ' +
    'that long.',
] as const;

export const refreshTokenDetails = [
  '`token` and `refreshToken` must be of one sign-in. The access token may have expired; the refresh token may not. Every ' +
    'other reason has the same response, 400 `010002`, which does not disclose it. A body that lacks a field has that code ' +
    'too, with the fields in `errors`, and so has one that is empty or no JSON.',
  '**A pair is exchanged** when any of these holds: the access token is the newest of its sign-in (clients that keep ' +
    'their first refresh token for good); the access token was never exchanged, or the refresh token never was (two workers ' +
    'that were each given a pair); this very pair was first exchanged within the last 60 seconds, and fewer than five ' +
    'further pairs were given for it (a lost response).',
  'A sixth repeat within the 60 seconds is refused and revokes nothing. Otherwise two spent tokens that come back are ' +
    'theft: the whole sign-in is revoked, with every token of it. A refresh that is refused for another reason (expired, ' +
    'wrong sign-in, suspended) revokes nothing. All times here are business time.',
] as const;
