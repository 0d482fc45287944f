import * as z from 'zod';
import { AttributionRecord } from '../../attribution/attributionRecord.ts';
import { Explanation } from '../../attribution/explanation.ts';
import { recordFilterParameters } from '../../attribution/recordFilters.ts';
import { RecordVersion } from '../../attribution/recordVersion.ts';
import { Warnings } from '../../fieldError.ts';
import { Cursor, PageLimit, pageOf } from '../../page.ts';
import { route } from '../route.ts';

/** The most filters of one request. One DynamoDB filter expression can hold them. */
export const FILTERS_MAXIMUM = 10;

const Sort = z.enum(['occurred_at', '-occurred_at', 'cost_usd', '-cost_usd', 'confidence', '-confidence']);

const AttributionQuery = z
  .strictObject({
    cursor: Cursor.optional(),
    limit: PageLimit.optional(),
    sort: Sort.optional().meta({
      description: 'Default: -occurred_at. Records without a cost come last in both orders by cost_usd',
    }),
    ...recordFilterParameters,
  })
  .refine(
    ({ cursor: _cursor, limit: _limit, sort: _sort, ...filters }) =>
      Object.keys(filters).length <= FILTERS_MAXIMUM,
    `at most ${FILTERS_MAXIMUM} filters`,
  );
export type AttributionQuery = z.infer<typeof AttributionQuery>;

export const AttributionDetail = AttributionRecord.extend({ explanation: Explanation }).meta({
  id: 'AttributionDetail',
});
export type AttributionDetail = z.infer<typeof AttributionDetail>;

export const AttributionPage = pageOf(AttributionRecord, 'AttributionPage')
  .extend({
    warnings: Warnings.optional().meta({ description: 'Only where no record matches' }),
  })
  .meta({ id: 'AttributionPage' });

export const listAttribution = route({
  method: 'GET',
  path: '/v1/attribution',
  operation: 'listAttribution',
  limits: { filters: FILTERS_MAXIMUM },
  authority: { effect: 'none', reveals: [], internal: ['admin:config'], lanes: 'own' },
  unit: 'attribution',
  summary: 'List attribution records, filtered and sorted',
  description: [
    'Follow next_cursor until has_more is false. The pages return every record that existed at the first request exactly once, regardless of concurrent writes. While has_more is true, a page can have fewer records than its limit, or none.',
    `\`field=value\` is short for \`field[eq]=value\`. A record must match all filters. A request takes at most ${FILTERS_MAXIMUM} filters, each at most once. \`[eq]\` and \`[contains]\` take the value literally, commas included. \`[in]\` takes a list: one text that is cut at commas, or the parameter repeated or a JSON array, whose values may contain commas. \`[ne]\` also matches records without a value. The other operators never match null values. Use \`[exists]=false\` to find them.`,
    'Sorted by cost_usd or confidence, the pages show corrections made at least five seconds before the first request. Sorted by occurred_at, they show all corrections made before it.',
  ].join('\n\n'),
  access: 'read:attribution',
  discloses: 'records',
  rate: 'read',
  needs: [
    'archive.read',
    'ledger.read',
    'ledger.sort',
    'claims.read',
    'traces.read',
    'progress.read',
    'cursor.derive',
  ],
  query: AttributionQuery,
  replies: { 200: { description: 'A page of records', body: AttributionPage } },
});

export const getAttribution = route({
  method: 'GET',
  path: '/v1/attribution/{id}',
  operation: 'getAttribution',
  authority: { effect: 'none', reveals: [], internal: ['admin:config'], lanes: 'own' },
  unit: 'attribution',
  summary: 'Read one attribution record with its full explanation',
  description:
    'The explanation has every rule with its result, and the method, version and range of cost, energy and carbon.',
  access: 'read:attribution',
  discloses: 'records',
  rate: 'read',
  needs: ['archive.read', 'claims.read', 'ledger.read', 'progress.read'],
  ids: { id: 'att' },
  replies: {
    200: {
      description: 'The record with every rule evaluated and every factor used',
      body: AttributionDetail,
    },
  },
});

export const listAttributionVersions = route({
  method: 'GET',
  path: '/v1/attribution/{id}/versions',
  operation: 'listAttributionVersions',
  authority: { effect: 'none', reveals: [], internal: ['admin:config'], lanes: 'own' },
  unit: 'attribution',
  summary: 'List the versions of a record, newest first',
  description: 'Who the owner was until when, and what changed it.',
  access: 'read:attribution',
  discloses: 'records',
  rate: 'read',
  needs: ['archive.read', 'ledger.read', 'cursor.derive'],
  ids: { id: 'att' },
  query: z.strictObject({ cursor: Cursor.optional(), limit: PageLimit.optional() }),
  replies: {
    200: { description: 'A page of versions', body: pageOf(RecordVersion, 'RecordVersionPage') },
  },
});
