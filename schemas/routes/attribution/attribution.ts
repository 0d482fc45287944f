import * as z from 'zod';
import { AttributionRecord, Interpretation, OutputState } from '../../attribution/attributionRecord.ts';
import { Explanation } from '../../attribution/explanation.ts';
import { anyOf, containing, Presence } from '../../filters.ts';
import { PathwayCategory } from '../../ingestion/invocationEvent.ts';
import { Cursor, PageLimit, pageOf } from '../../page.ts';
import { CONFIDENCE_CEILING, DecimalString, label, Timestamp } from '../../values.ts';
import { route } from '../route.ts';

/** The most filters of one request. One DynamoDB filter expression can hold them. */
export const FILTERS_MAXIMUM = 10;

const Confidence = z
  .string()
  .regex(/^(?:0(?:\.\d{1,6})?|1(?:\.0{1,6})?)$/, 'must be a decimal from 0 to 1')
  .meta({
    description: `From 0 to 1, at most 6 digits. Records have at most ${CONFIDENCE_CEILING}`,
    example: '0.8',
  });

const InvocationId = z
  .string()
  .regex(/^inv_[a-z2-7]{8}[0-7][0-9A-HJKMNP-TV-Z]{25}$/, 'must be the id of an invocation')
  .meta({ example: 'inv_k3v7q2mc01KA3Z5V7JQ2M6X9R8T4B1C0DE' });

const Label = label(256);
const ShortLabel = label(64);
const { stage_origin: StageOrigin, confidence_band: ConfidenceBand } = Interpretation.shape;

const Sort = z.enum(['occurred_at', '-occurred_at', 'cost_usd', '-cost_usd', 'confidence', '-confidence']);

const AttributionQuery = z
  .strictObject({
    cursor: Cursor.optional(),
    limit: PageLimit.optional(),
    sort: Sort.optional().meta({
      description: 'Default: -occurred_at. Records without a cost come last in both orders by cost_usd',
    }),
    occurred_at: Timestamp.optional(),
    'occurred_at[eq]': Timestamp.optional(),
    'occurred_at[ne]': Timestamp.optional(),
    'occurred_at[gt]': Timestamp.optional(),
    'occurred_at[gte]': Timestamp.optional(),
    'occurred_at[lt]': Timestamp.optional(),
    'occurred_at[lte]': Timestamp.optional(),
    cost_usd: DecimalString.optional(),
    'cost_usd[eq]': DecimalString.optional(),
    'cost_usd[ne]': DecimalString.optional(),
    'cost_usd[gt]': DecimalString.optional(),
    'cost_usd[gte]': DecimalString.optional(),
    'cost_usd[lt]': DecimalString.optional(),
    'cost_usd[lte]': DecimalString.optional(),
    'cost_usd[exists]': Presence.optional(),
    confidence: Confidence.optional(),
    'confidence[eq]': Confidence.optional(),
    'confidence[ne]': Confidence.optional(),
    'confidence[gt]': Confidence.optional(),
    'confidence[gte]': Confidence.optional(),
    'confidence[lt]': Confidence.optional(),
    'confidence[lte]': Confidence.optional(),
    owner: Label.optional(),
    'owner[eq]': Label.optional(),
    'owner[ne]': Label.optional(),
    'owner[in]': anyOf(Label).optional(),
    'owner[contains]': containing(Label).optional(),
    'owner[exists]': Presence.optional(),
    service: Label.optional(),
    'service[eq]': Label.optional(),
    'service[ne]': Label.optional(),
    'service[in]': anyOf(Label).optional(),
    'service[contains]': containing(Label).optional(),
    'service[exists]': Presence.optional(),
    provider: ShortLabel.optional(),
    'provider[eq]': ShortLabel.optional(),
    'provider[ne]': ShortLabel.optional(),
    'provider[in]': anyOf(ShortLabel).optional(),
    served_model: Label.optional(),
    'served_model[eq]': Label.optional(),
    'served_model[ne]': Label.optional(),
    'served_model[in]': anyOf(Label).optional(),
    'served_model[contains]': containing(Label).optional(),
    pathway_category: PathwayCategory.optional(),
    'pathway_category[eq]': PathwayCategory.optional(),
    'pathway_category[ne]': PathwayCategory.optional(),
    'pathway_category[in]': anyOf(PathwayCategory).optional(),
    output_state: OutputState.optional(),
    'output_state[eq]': OutputState.optional(),
    'output_state[ne]': OutputState.optional(),
    'output_state[in]': anyOf(OutputState).optional(),
    confidence_band: ConfidenceBand.optional(),
    'confidence_band[eq]': ConfidenceBand.optional(),
    'confidence_band[ne]': ConfidenceBand.optional(),
    'confidence_band[in]': anyOf(ConfidenceBand).optional(),
    stage_origin: StageOrigin.optional(),
    'stage_origin[eq]': StageOrigin.optional(),
    'stage_origin[ne]': StageOrigin.optional(),
    'stage_origin[in]': anyOf(StageOrigin).optional(),
    invocation_id: InvocationId.optional(),
    'invocation_id[eq]': InvocationId.optional(),
    'invocation_id[ne]': InvocationId.optional(),
    'invocation_id[in]': anyOf(InvocationId).optional(),
    trace_id: ShortLabel.optional(),
    'trace_id[eq]': ShortLabel.optional(),
    'trace_id[ne]': ShortLabel.optional(),
    'trace_id[in]': anyOf(ShortLabel).optional(),
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

export const AttributionPage = pageOf(AttributionRecord, 'AttributionPage');

export const listAttribution = route({
  method: 'GET',
  path: '/v1/attribution',
  operation: 'listAttribution',
  authority: { effect: 'none', reveals: [], internal: ['admin:config'], lanes: 'own' },
  unit: 'attribution',
  summary: 'List attribution records, filtered and sorted',
  description: [
    'Follow next_cursor until has_more is false. The pages return every record that existed at the first request exactly once, regardless of concurrent writes. While has_more is true, a page can have fewer records than its limit, or none.',
    `\`field=value\` is short for \`field[eq]=value\`. A record must match all filters. A request takes at most ${FILTERS_MAXIMUM} filters, each at most once. \`[eq]\` and \`[contains]\` take the value literally, commas included. \`[in]\` splits the value at every comma. \`[ne]\` also matches records without a value. The other operators never match null values. Use \`[exists]=false\` to find them.`,
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
  needs: ['archive.read', 'ledger.read', 'progress.read'],
  ids: { id: 'att' },
  replies: {
    200: {
      description: 'The record with every rule evaluated and every factor used',
      body: AttributionDetail,
    },
  },
});
