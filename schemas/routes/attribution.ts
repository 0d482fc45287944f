import * as z from 'zod';
import { AttributionRecord } from '../attributionRecord.ts';
import { Explanation } from '../explanation.ts';
import { Cursor, PageLimit, pageOf } from '../page.ts';
import { Timestamp } from '../values.ts';
import { route } from './route.ts';

const AttributionQuery = z.strictObject({
  cursor: Cursor.optional(),
  limit: PageLimit.optional(),
  sort: z.enum(['occurred_at', '-occurred_at']).optional().meta({ description: 'Default -occurred_at' }),
  occurred_at: Timestamp.optional(),
  'occurred_at[eq]': Timestamp.optional(),
  'occurred_at[gt]': Timestamp.optional(),
  'occurred_at[gte]': Timestamp.optional(),
  'occurred_at[lt]': Timestamp.optional(),
  'occurred_at[lte]': Timestamp.optional(),
});
export type AttributionQuery = z.infer<typeof AttributionQuery>;

export const AttributionDetail = AttributionRecord.extend({ explanation: Explanation }).meta({
  id: 'AttributionDetail',
});
export type AttributionDetail = z.infer<typeof AttributionDetail>;

export const listAttribution = route({
  method: 'GET',
  path: '/v1/attribution',
  operation: 'listAttribution',
  unit: 'attribution',
  summary: 'List attribution records in order of time',
  description:
    'Following next_cursor until has_more is false returns every record that existed when the walk began exactly once, whatever is written meanwhile. A page may hold fewer records than its limit while has_more is true.',
  access: 'read:attribution',
  rate: 'read',
  needs: ['ledger.read', 'cursor.derive'],
  query: AttributionQuery,
  replies: { 200: { description: 'A page of records', body: pageOf(AttributionRecord, 'AttributionPage') } },
});

export const getAttribution = route({
  method: 'GET',
  path: '/v1/attribution/{id}',
  operation: 'getAttribution',
  unit: 'attribution',
  summary: 'Read one attribution record with its full explanation',
  access: 'read:attribution',
  rate: 'read',
  needs: ['ledger.read'],
  ids: { id: 'att' },
  replies: {
    200: { description: 'The record, every rule tried and every factor used', body: AttributionDetail },
  },
});
