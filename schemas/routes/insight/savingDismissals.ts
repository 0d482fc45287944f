import * as z from 'zod';
import {
  DISMISSAL_GROWTH,
  DISMISSAL_GROWTH_USD,
  SAVING_DISMISSALS_MAXIMUM,
  SavingDismissal,
  SavingDismissalRequest,
} from '../../insight/savingDismissals.ts';
import { Cursor, PageLimit, pageOf } from '../../page.ts';
import { route } from '../route.ts';

const LANE = 'A credential bound to a residency lane sees and dismisses the suggestions of that lane only.';

export const dismissSaving = route({
  method: 'POST',
  path: '/api/v1/saving-dismissals',
  operation: 'dismissSaving',
  limits: { resources: SAVING_DISMISSALS_MAXIMUM },
  authority: {
    effect: 'settings',
    reveals: ['read:reporting'],
    withholds: ['read:attribution'],
    lanes: 'own',
  },
  unit: 'budgets',
  summary: 'Dismiss a suggested saving, with a reason',
  description: `The members are those of the suggestion in the report. It is left out of the report and of what is sent to people, until it saves at least ${DISMISSAL_GROWTH} times \`high_usd\` and ${DISMISSAL_GROWTH_USD} USD more in 30 days. Dismissing it again replaces the amount and the reason, under the same id. A tenant can have ${SAVING_DISMISSALS_MAXIMUM}; beyond that the response is VALIDATION_FAILED. ${LANE}`,
  access: 'admin:config',
  alternative: 'finance:config',
  discloses: 'cohorts_or_records',
  rate: 'write',
  needs: ['savingDismissals.write'],
  body: { kind: 'json', schema: SavingDismissalRequest, maxBytes: 8_192 },
  audit: 'saving.dismiss',
  replies: { 200: { description: 'The dismissal', body: SavingDismissal } },
});

export const listSavingDismissals = route({
  method: 'GET',
  path: '/api/v1/saving-dismissals',
  operation: 'listSavingDismissals',
  authority: { effect: 'none', reveals: [], withholds: ['read:attribution'], lanes: 'own' },
  unit: 'budgets',
  summary: 'List dismissed savings',
  description: `In the order of their ids, also those of suggestions that no report of now has. Those of idle nodes need read:attribution. ${LANE}`,
  access: 'read:reporting',
  discloses: 'cohorts_or_records',
  rate: 'read',
  needs: ['savingDismissals.read', 'cursor.derive'],
  query: z.strictObject({ cursor: Cursor.optional(), limit: PageLimit.optional() }),
  replies: {
    200: { description: 'A page of dismissals', body: pageOf(SavingDismissal, 'SavingDismissalPage') },
  },
});

export const restoreSaving = route({
  method: 'DELETE',
  path: '/api/v1/saving-dismissals/{id}',
  operation: 'restoreSaving',
  authority: { effect: 'deletion', reveals: ['read:reporting'], lanes: 'own' },
  unit: 'budgets',
  summary: 'Suggest a dismissed saving again',
  description: `The next report shows it, if its calls are still there. ${LANE}`,
  access: 'admin:config',
  alternative: 'finance:config',
  discloses: 'none',
  rate: 'write',
  needs: ['savingDismissals.write'],
  ids: { id: 'svd' },
  audit: 'saving.restore',
  replies: { 204: { description: 'It is not dismissed' } },
});

export const savingDismissalRoutes = [dismissSaving, listSavingDismissals, restoreSaving] as const;
