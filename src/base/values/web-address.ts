/** Addresses of the web that are kept for people to open. */

/** True for an absolute `http` or `https` address with a host and without credentials. */
export function isWebAddress(text: string): boolean {
  const url = /^https?:\/\/[^\s\\]+$/i.test(text) ? URL.parse(text) : null;
  return url !== null && url.hostname !== '' && url.username === '' && url.password === '';
}
