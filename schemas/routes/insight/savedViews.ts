import * as z from 'zod';
import { SAVED_VIEWS_MAXIMUM, SavedView, SavedViewRequest } from '../../insight/savedViews.ts';
import { Cursor, PageLimit, pageOf } from '../../page.ts';
import { route } from '../route.ts';

const LANE = 'A credential bound to a residency lane sees and writes those of that lane only.';

export const createSavedView = route({
  method: 'POST',
  path: '/api/v1/saved-views',
  operation: 'createSavedView',
  limits: { resources: SAVED_VIEWS_MAXIMUM },
  authority: { effect: 'settings', reveals: ['read:reporting'], lanes: 'own' },
  unit: 'budgets',
  summary: 'Save what a page of the console shows, with a name',
  description: `Everyone of the tenant sees it. Saving under a name of the page again replaces the view. A tenant can have ${SAVED_VIEWS_MAXIMUM}; beyond that the response is VALIDATION_FAILED. ${LANE}`,
  access: 'admin:config',
  alternative: 'finance:config',
  discloses: 'none',
  rate: 'write',
  needs: ['savedViews.write'],
  body: { kind: 'json', schema: SavedViewRequest, maxBytes: 4_096 },
  audit: 'saved_view.create',
  replies: { 200: { description: 'The view', body: SavedView } },
});

export const listSavedViews = route({
  method: 'GET',
  path: '/api/v1/saved-views',
  operation: 'listSavedViews',
  authority: { effect: 'none', reveals: [], lanes: 'own' },
  unit: 'budgets',
  summary: 'List saved views',
  description: `In the order of their ids. ${LANE}`,
  access: 'read:reporting',
  discloses: 'none',
  rate: 'read',
  needs: ['savedViews.read', 'cursor.derive'],
  query: z.strictObject({ cursor: Cursor.optional(), limit: PageLimit.optional() }),
  replies: { 200: { description: 'A page of saved views', body: pageOf(SavedView, 'SavedViewPage') } },
});

export const deleteSavedView = route({
  method: 'DELETE',
  path: '/api/v1/saved-views/{id}',
  operation: 'deleteSavedView',
  authority: { effect: 'deletion', reveals: ['read:reporting'], lanes: 'own' },
  unit: 'budgets',
  summary: 'Delete a saved view',
  description: LANE,
  access: 'admin:config',
  alternative: 'finance:config',
  discloses: 'none',
  rate: 'write',
  needs: ['savedViews.write'],
  ids: { id: 'svw' },
  audit: 'saved_view.delete',
  replies: { 204: { description: 'It does not exist' } },
});

export const savedViewRoutes = [createSavedView, listSavedViews, deleteSavedView] as const;
