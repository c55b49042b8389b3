/** Where Twilio keeps what customers send ("Media resource"): below its API. From there it redirects to its storage. */

const usualOrigin = 'https://api.twilio.com';

/** Null for an address that is not of Twilio's API: it would be given the credentials. `apiUrl` is the one of the settings. */
export function mediaUrl(named: string, apiUrl: string): URL | null {
  const url = URL.parse(named);
  if (url === null || url.username !== '' || url.password !== '') return null;
  const isTwilio = [usualOrigin, new URL(apiUrl).origin].includes(url.origin);
  return isTwilio && url.pathname.startsWith('/2010-04-01/Accounts/') ? url : null;
}
