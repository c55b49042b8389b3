/** Calls the server and resolves to its response; rejects with an Error whose message can be shown. */
export async function ask(path, body, method = 'GET') {
  const options =
    body === undefined
      ? { method }
      : { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  let response;
  try {
    response = await fetch(path, { ...options, signal: AbortSignal.timeout(10_000) });
  } catch {
    throw new Error('The server does not answer.');
  }
  const answer = await response.json().catch(() => null);
  if (response.ok && answer !== null) return answer;
  throw new Error(answer?.message ?? `The server answered with status ${response.status}.`);
}
