/**
 * Makes the console quicker; every page works without it. All listeners are on the document, because pages are morphed below it.
 */
import './keys.mjs';
import './find.mjs';
import './undo.mjs';
import './follow.mjs';

// Notifications are switched on in this browser.
if (localStorage.getItem('console-news') !== null) void import('./news.mjs');
