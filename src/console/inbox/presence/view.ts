/**
 * The region of an open conversation that shows who else is there: its script (`presence.mjs`) fills it in, and updates of the
 * page leave it as it is.
 */
import { html, type SafeHtml } from '@remix-run/html-template';
import { scriptPath } from '../../frame/files.ts';

/** `base`: the path of the workshop's pages. */
export const presenceRegion = (base: string, conversationId: string): SafeHtml =>
  html`<div id="present" class="present" data-to="${base}/inbox/presence" data-conversation="${conversationId}" hx-morph-skip-children></div>`;

/** The script of pages that have the region. */
export const presenceScript = scriptPath('presence.mjs');
