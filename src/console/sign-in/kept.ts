/** /console/sign-in/kept: the form that was sent after a session had ended. */
import { readKeptForm } from '#product/people/sessions/kept-forms/keep.ts';
import { deleteKeptForm } from '#product/people/sessions/kept-forms/store.ts';
import type { PersonRoute } from '../frame/console-page.ts';
import { readNext } from './next.ts';
import { keptPage } from './pages.ts';

export const keptRoutes: readonly PersonRoute[] = [
  {
    method: 'GET',
    path: 'sign-in/kept',
    async handle({ context, who }) {
      const kept = await readKeptForm(context, who);
      return kept === null || readNext(kept.path) === null ? { to: '/console' } : keptPage(kept);
    },
  },
  {
    method: 'POST',
    path: 'sign-in/kept',
    async handle({ context, who }) {
      await deleteKeptForm(context.db, who.sessionId);
      return { to: '/console' };
    },
  },
];
