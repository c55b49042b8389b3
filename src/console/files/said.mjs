/** The region `role=status`: the person's own actions, changes to the open record, and numbers of search results. */

/** `kind`: `own` as the server renders it, `other` for somebody else's change, `unseen` for screen readers alone. */
export function say(text, kind, ...more) {
  const said = document.getElementById('said');
  if (said === null) return;
  said.className = `said ${kind}`;
  said.replaceChildren(text, ...more);
}

export const isSaid = (text) => document.getElementById('said')?.textContent === text;
