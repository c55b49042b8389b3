/**
 * Notifications of the browser, at /console/me: each browser has its own choice, which the script stores there; it is shown only
 * in browsers that have notifications.
 */
import { html } from '@remix-run/html-template';
import { scriptPath } from '../frame/files.ts';

export const newsScript = scriptPath('news-switch.mjs');

export const newsCard = html`<section class="card narrow" id="news" aria-labelledby="news-title" hidden><h2 id="news-title">Notifications in this browser</h2>
<p class="quiet">While a page of a workshop is open here, in a tab that you don’t see too, this browser tells you that a customer has written. The choice stays in this browser until you sign out.</p>
<p class="check"><input type="checkbox" role="switch" id="newsWanted" autocomplete="off"><label for="newsWanted">Tell me when a customer writes</label></p>
<p class="check"><input type="checkbox" role="switch" id="newsTexts" autocomplete="off"><label for="newsTexts">Show the text, for whoever sees this screen</label></p></section>`;
