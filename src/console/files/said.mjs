/** The region `role=status`: one's own actions, a change to the open record, and how many were found. */

/** `kind`: `own` as the server draws it, `other` for what somebody else did, `unseen` for ears alone. */
export function say(text, kind, ...more) {
  const said = document.getElementById('said');
  if (said === null) return;
  said.className = `said ${kind}`;
  said.replaceChildren(text, ...more);
}

export const isSaid = (text) => document.getElementById('said')?.textContent === text;
