/** The switches of notifications at /console/me. They are kept in this browser; it asks whether it may show any after a click alone. */
import { say } from './said.mjs';

const storedAs = 'console-news';

const [card, wanted, texts] = ['news', 'newsWanted', 'newsTexts'].map((id) => document.getElementById(id));

function show() {
  const kept = Notification.permission === 'granted' ? localStorage.getItem(storedAs) : null;
  wanted.checked = kept !== null;
  texts.checked = kept === 'texts';
  texts.disabled = kept === null;
}

async function choose() {
  if (wanted.checked && (await Notification.requestPermission()) !== 'granted')
    say('This browser does not allow it: allow notifications for this site in its settings.', 'other');
  else if (wanted.checked) localStorage.setItem(storedAs, texts.checked ? 'texts' : 'names');
  else localStorage.removeItem(storedAs);
  show();
}

// A page alone can't be told while it is not seen without all of these.
if (card && 'Notification' in window && 'SharedWorker' in window && 'locks' in navigator) {
  show();
  card.hidden = false;
  for (const each of [wanted, texts]) each.addEventListener('change', choose);
}
