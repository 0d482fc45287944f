import * as z from 'zod';
import { Period } from '../../chargeback/periods.ts';
import { Cursor, PageLimit, pageOf } from '../../page.ts';
import { freeText } from '../../values.ts';
import { route } from '../route.ts';

const REOPEN_BYTES_MAXIMUM = 4_096;
const REASON_LENGTH_MAXIMUM = 500;

const LANE = 'A credential that is bound to a lane is rejected with RESIDENCY_BLOCKED.';

const common = {
  unit: 'reconciliation',
  discloses: 'cohorts',
} as const;
const change = {
  ...common,
  access: 'admin:config',
  alternative: 'finance:config',
  authority: { effect: 'attribution', reveals: ['read:reporting'], lanes: 'all' },
  rate: 'write',
  refuses: ['CONFLICT', 'NOT_FOUND', 'RESIDENCY_BLOCKED'],
} as const;

const Reopening = z
  .strictObject({
    reason: freeText(REASON_LENGTH_MAXIMUM).meta({
      description: 'For the audit log and the event period.reopened',
    }),
  })
  .meta({ id: 'PeriodReopening', example: { reason: 'A price of October was wrong' } });

export const listPeriods = route({
  ...common,
  method: 'GET',
  path: '/api/v1/periods',
  operation: 'listPeriods',
  authority: { effect: 'none', reveals: [], lanes: 'all' },
  summary: 'List billing periods, newest first',
  description: `UTC months, as exports and bills have them: from the first that was closed, or else of the last year, to the current one. ${LANE}`,
  access: 'read:reporting',
  rate: 'read',
  needs: ['closings.read', 'cursor.derive', 'periods.read', 'rollups.read'],
  query: z.strictObject({ cursor: Cursor.optional(), limit: PageLimit.optional() }),
  refuses: ['RESIDENCY_BLOCKED'],
  replies: { 200: { description: 'A page of periods', body: pageOf(Period, 'PeriodPage') } },
});

export const closePeriod = route({
  ...common,
  ...change,
  method: 'POST',
  path: '/api/v1/periods/{period}/close',
  operation: 'closePeriod',
  summary: 'Close a billing period',
  description: `Its exports have the figures of this instant from now on, whatever comes later. What changes later is in the exports of the first open period, as FOCUS corrections, until that is closed too. A period that is closed stays as it is. CONFLICT: the period has not ended, an earlier one is open, or its totals are not complete. ${LANE}`,
  needs: [
    'closings.read',
    'closings.write',
    'nodeHours.read',
    'outbox.append',
    'periods.copy',
    'periods.read',
    'rollups.read',
    'totals.complete',
  ],
  audit: 'period.close',
  replies: { 200: { description: 'The closed period', body: Period } },
});

export const reopenPeriod = route({
  ...common,
  ...change,
  method: 'POST',
  path: '/api/v1/periods/{period}/reopen',
  operation: 'reopenPeriod',
  summary: 'Open the period again that was closed last',
  description: `Its exports follow the records again, and so do the corrections in them. CONFLICT: it is open, or a later one is closed. ${LANE}`,
  needs: ['closings.read', 'closings.write', 'outbox.append', 'periods.read', 'rollups.read'],
  body: { kind: 'json', schema: Reopening, maxBytes: REOPEN_BYTES_MAXIMUM },
  audit: 'period.reopen',
  replies: { 200: { description: 'The open period', body: Period } },
});
