/** Makes the console quicker; no place needs it. All of it listens on the document: pages are morphed below. */
import './keys.mjs';
import './find.mjs';
import './undo.mjs';
import './follow.mjs';
