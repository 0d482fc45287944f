import * as z from 'zod';
import { AttributionRecord, Interpretation, OutputState } from '../attribution/attributionRecord.ts';
import { Explanation } from '../attribution/explanation.ts';
import { PathwayCategory } from '../ingestion/invocationEvent.ts';
import { Cursor, PageLimit, pageOf } from '../page.ts';
import { CONFIDENCE_CEILING, DecimalString, label, Timestamp } from '../values.ts';
import { route } from './route.ts';

/** Values of one list, and filters of one request: what one condition of a table can hold with room to spare. */
export const LISTED_MAXIMUM = 50;
export const FILTERS_MAXIMUM = 10;
const LIST_LENGTH_MAXIMUM = 4_096;

/** Any of several values. A comma always divides: a value that holds one can only be asked for by itself. */
const anyOf = <Value extends z.ZodType<string, string>>(value: Value) => {
  const offered = value instanceof z.ZodEnum ? ` of ${value.options.join(', ')}` : '';
  return z
    .string()
    .max(LIST_LENGTH_MAXIMUM)
    .transform((text) => text.split(','))
    .pipe(z.array(value).max(LISTED_MAXIMUM))
    .meta({ description: `Any${offered}, divided by commas; at most ${LISTED_MAXIMUM} values` });
};

const containing = (value: z.ZodString) =>
  value.meta({ description: 'Contains this text, upper and lower case told apart' });

const Presence = z
  .enum(['true', 'false'])
  .meta({ description: 'Whether there is any: false finds the records whose value is null' });

const Confidence = z
  .string()
  .regex(/^(?:0(?:\.\d{1,6})?|1(?:\.0{1,6})?)$/, 'must be a decimal from 0 to 1')
  .meta({
    description: `From 0 to 1, at most 6 fractional digits; none is above ${CONFIDENCE_CEILING}`,
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
      description: 'Default -occurred_at. By cost_usd, records without a cost come last both ways',
    }),
    occurred_at: Timestamp.optional(),
    'occurred_at[eq]': Timestamp.optional(),
    'occurred_at[gt]': Timestamp.optional(),
    'occurred_at[gte]': Timestamp.optional(),
    'occurred_at[lt]': Timestamp.optional(),
    'occurred_at[lte]': Timestamp.optional(),
    cost_usd: DecimalString.optional(),
    'cost_usd[eq]': DecimalString.optional(),
    'cost_usd[gt]': DecimalString.optional(),
    'cost_usd[gte]': DecimalString.optional(),
    'cost_usd[lt]': DecimalString.optional(),
    'cost_usd[lte]': DecimalString.optional(),
    'cost_usd[exists]': Presence.optional(),
    confidence: Confidence.optional(),
    'confidence[eq]': Confidence.optional(),
    'confidence[gt]': Confidence.optional(),
    'confidence[gte]': Confidence.optional(),
    'confidence[lt]': Confidence.optional(),
    'confidence[lte]': Confidence.optional(),
    owner: Label.optional(),
    'owner[eq]': Label.optional(),
    'owner[in]': anyOf(Label).optional(),
    'owner[contains]': containing(Label).optional(),
    'owner[exists]': Presence.optional(),
    service: Label.optional(),
    'service[eq]': Label.optional(),
    'service[in]': anyOf(Label).optional(),
    'service[contains]': containing(Label).optional(),
    'service[exists]': Presence.optional(),
    provider: ShortLabel.optional(),
    'provider[eq]': ShortLabel.optional(),
    'provider[in]': anyOf(ShortLabel).optional(),
    served_model: Label.optional(),
    'served_model[eq]': Label.optional(),
    'served_model[in]': anyOf(Label).optional(),
    'served_model[contains]': containing(Label).optional(),
    pathway_category: PathwayCategory.optional(),
    'pathway_category[eq]': PathwayCategory.optional(),
    'pathway_category[in]': anyOf(PathwayCategory).optional(),
    output_state: OutputState.optional(),
    'output_state[eq]': OutputState.optional(),
    'output_state[in]': anyOf(OutputState).optional(),
    confidence_band: ConfidenceBand.optional(),
    'confidence_band[eq]': ConfidenceBand.optional(),
    'confidence_band[in]': anyOf(ConfidenceBand).optional(),
    stage_origin: StageOrigin.optional(),
    'stage_origin[eq]': StageOrigin.optional(),
    'stage_origin[in]': anyOf(StageOrigin).optional(),
    invocation_id: InvocationId.optional(),
    'invocation_id[eq]': InvocationId.optional(),
    'invocation_id[in]': anyOf(InvocationId).optional(),
    trace_id: ShortLabel.optional(),
    'trace_id[eq]': ShortLabel.optional(),
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

export const listAttribution = route({
  method: 'GET',
  path: '/v1/attribution',
  operation: 'listAttribution',
  unit: 'attribution',
  summary: 'List attribution records by filters and in an order',
  description: [
    'Following next_cursor until has_more is false returns every record that existed when the walk began exactly once, whatever is written meanwhile. A page may hold fewer records than its limit, or none, while has_more is true.',
    `\`field=value\` is \`field[eq]=value\`; several filters, at most ${FILTERS_MAXIMUM}, narrow each other, and each may be given once. A value of \`[eq]\` and \`[contains]\` is taken as it is, commas included; \`[in]\` divides at every comma. A comparison never finds a record whose value is null; \`[exists]=false\` does.`,
    'Sorted by cost_usd or confidence, a walk shows corrections that are five seconds old; in order of time it shows all.',
  ].join('\n\n'),
  access: 'read:attribution',
  rate: 'read',
  needs: ['ledger.read', 'claims.read', 'traces.read', 'cursor.derive'],
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
