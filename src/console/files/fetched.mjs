/** Fetches the present version of the page. */

const withinMs = 10_000;

/** The policy of the open page knows the styles of the open page alone: a parser would have it complain. */
const styles = /<style>.*?<\/style>/gs;
/** The rules of a page alone stand after its stylesheets. */
const ownRules = /<link rel="stylesheet".*?<style>(.*?)<\/style>/s;

/** Marks the request as automatic, not made by the person. */
const headers = { 'Pitlane-Follows': 'yes' };

/**
 * `{ title, main, rules }`; `{ ended }` says why there will be none: `signed-out`, `gone`, `other` (somebody else has signed in here). Throws for what may work later.
 */
export async function fetchPage() {
  const answer = await fetch(location.pathname + location.search, {
    ...{ headers, redirect: 'manual', cache: 'no-store', signal: AbortSignal.timeout(withinMs) },
  });
  if (answer.type === 'opaqueredirect' || answer.status === 401) return { ended: 'signed-out' };
  if (answer.status === 403 || answer.status === 404) return { ended: 'gone' };
  if (!answer.ok) throw new Error(`answered with ${answer.status}`);
  const text = await answer.text();
  const page = new DOMParser().parseFromString(text.replaceAll(styles, ''), 'text/html');
  const main = page.getElementById('main');
  if (main === null) throw new Error('answered with another page');
  return personOf(page) === personOf(document)
    ? { title: page.title, rules: ownRules.exec(text)?.[1] ?? '', main }
    : { ended: 'other' };
}

const personOf = (page) => page.querySelector('.person summary')?.textContent;
