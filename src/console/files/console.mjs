/** Makes the console quicker; no place needs it. All of it listens on the document: pages are morphed below. */
import './keys.mjs';
import './find.mjs';
import './undo.mjs';
import './follow.mjs';

// Somebody wants to be told in this browser of what customers write.
if (localStorage.getItem('console-news') !== null) void import('./news.mjs');
