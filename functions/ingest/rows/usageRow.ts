import { providerOfHost } from '../../impact/usage/modelIdentity.ts';
import type { ItemBudget } from '../../platform/shared/itemBudget.ts';
import { eventIdOf, timestampOf, type Warnings } from '../formats/observedCall.ts';
import { callsNoModel, modelOperationOf } from '../formats/operationNames.ts';
import { definedMembers, toCount, toTimestamp } from '../formats/values.ts';
import { storeAttribute, textOf } from '../spans/attributes.ts';
import { eventOfSpan } from '../spans/spanEvent.ts';
import { hasNamedCounts } from '../spans/spanKind.ts';
import type { Attributes, AttributeValue } from '../spans/telemetry.ts';
import type { Cell } from './cell.ts';
import { COLUMNS, type Column, columnsOf } from './columns.ts';
import { modelRows } from './modelRows.ts';
import { billingModeOf, costsIn } from './rowCosts.ts';
import { contentOf, isTimeOfSum, type NumberRow } from './rowIdentity.ts';
import { isOfCloud, regionIn, servedBy } from './rowOrigin.ts';

/** Sums of several calls are no calls. */
const COUNTED_CALLS =
  /^(?:num_|total_)?(?:model_)?(?:call|request|invocation)s?(?:_count)?$|^(?:call|request)_count$/;

/** `row.properties.gen_ai.response.id` of Application Insights, `row.span_attributes.…` of ClickHouse. */
const ATTRIBUTE = /^row\.(?:properties|custom_dimensions|(?:span_)?attributes)\.(.+\..+)$/;

const isScalar = (value: unknown): value is AttributeValue =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';

/** Columns of counts. Those of a time, a rate or a limit are none. */
const COUNT = /(?:^|_)(?:tokens?|token_count|searches|search_(?:calls|requests|queries))$|^tokens_/;
const NO_COUNT = /max|limit|budget|saved|per_|first|time|price|cost/;

/** Where a column would be in an object of usage, so that one without a meaning is named as unread there as well. */
const usagePath = (name: string, path: string): string => {
  if (path !== `row.${name}` || !COUNT.test(name) || NO_COUNT.test(name))
    return path.replace(/\.tokens$/, '.total_tokens');
  // Snowflake and Braintrust name the sum of all kinds `tokens`.
  return name === 'tokens' ? 'row.usage.total_tokens' : `row.usage.${name}`;
};

/** What the columns count, by the words of their names, as attributes of a span. */
const countsIn = (columns: readonly Cell[], isByok: boolean): Map<string, AttributeValue> => {
  const attributes = new Map<string, AttributeValue>();
  const { isCharged, isCost, inUnit } = costsIn(columns);
  if (isCharged) attributes.set('gen_ai.usage.cost.source', 'provider');
  for (const [name, path, value] of columns) {
    // A gateway that does not sell the call charges a fee.
    if (isByok && isCharged && isCost(path)) continue;
    // A span in a table has its attributes in one column.
    const attribute = ATTRIBUTE.exec(path)?.[1] ?? name;
    for (const known of new Set([name, attribute, inUnit(path) ?? usagePath(name, path)])) {
      storeAttribute(attributes, known, () => (isScalar(value) ? value : undefined), { content: new Set() });
    }
  }
  return attributes;
};

/** Rows that are older, or whose number is no time. */
const EARLIEST = '2015';

/** A time in RFC 3339, or in seconds, milliseconds or finer units since 1970. */
const timeOf = (value: unknown): string | undefined => {
  const number = typeof value === 'string' && /^\d{9,19}$/.test(value) ? Number(value) : value;
  const time =
    Number.isFinite(number) && typeof number === 'number' && number >= 1
      ? timestampOf(BigInt(Math.trunc(number)))
      : toTimestamp(value);
  return time === undefined || time < EARLIEST ? undefined : time;
};

const nanosecondsOf = (time: string): bigint => BigInt(Date.parse(time)) * 1_000_000n;

/** Whether a column says so. Tables in CSV have only text. */
const isTrue = (value: unknown): boolean => value === true || /^true$/i.test(String(value));
const isFalse = (value: unknown): boolean => value === false || /^false$/i.test(String(value));
const FAILED = /^(?:error|errored|failed|failure)$/i;

/** What all rows of a body share. */
interface RowReading {
  readonly receivedAt: string;
  readonly warnings: Warnings;
  readonly items: ItemBudget;
  readonly numberRow: NumberRow;
}

/**
 * The events of a row of a table of calls, as gateways and warehouses export them, recognised by its columns: a time, a model and
 * token counts. Null for any other value, and for sums of several calls.
 */
export const eventsOfUsageRow = (
  row: unknown,
  reading: RowReading,
): readonly Record<string, unknown>[] | null => {
  const events = modelRows(row, reading.items)
    .map(([one, model]) => eventOf(one, model, reading))
    .filter((event) => event !== null);
  return events.length === 0 ? null : events;
};

/** `byModel`: the model, if other models have the id of the row too. */
const eventOf = (
  row: unknown,
  byModel: string | undefined,
  { receivedAt, warnings, items, numberRow }: RowReading,
): Record<string, unknown> | null => {
  const columns = columnsOf(row, items);
  const first = (column: Column): unknown =>
    columns.find(([name, , value]) => COLUMNS[column].test(name) && (value ?? '') !== '')?.[2];
  const id = String(first('id') ?? '');
  const time = columns
    .flatMap(([name, , value]) => (COLUMNS.time.test(name) ? (timeOf(value) ?? []) : []))
    .at(0);
  const kinds = columns.flatMap(([name, path, value]) =>
    COLUMNS.kind.test(name) && OF_ENTRY.test(path) && typeof value === 'string' ? [value] : [],
  );
  const named = kinds.map(modelOperationOf).find((operation) => operation !== undefined);
  const byok = first('byok');
  const attributes = countsIn(columns, isTrue(byok) || Number(byok) > 0);
  const address = first('address');
  for (const [name, value] of [
    ['gen_ai.request.model', first('model') ?? modelIn(first('modelId'))],
    [
      'gen_ai.provider.name',
      first('provider') ??
        (typeof address === 'string' ? providerOfHost(address) : undefined) ??
        servedBy(columns) ??
        namedBy(first('providerId')),
    ],
    ['enduser.id', first('user')],
    ['team', first('team')],
    ['metadata.user_api_key_alias', first('key')],
    ['gen_ai.response.service_tier', first('speed') === 'fast' ? 'fast' : first('tier')],
  ] as const) {
    if (typeof value === 'string') attributes.set(name, value);
  }
  const isResponse = kinds.some((kind) => RESPONSE.test(kind));
  const responseId = columns.find(
    ([, path]) => RESPONSE_ID.test(path) || (isResponse && path === 'row.id'),
  )?.[2];
  if (typeof responseId === 'string') attributes.set('gen_ai.response.id', responseId);
  if (isTrue(first('cached'))) attributes.set('cache_status', 'HIT');
  const isSum = columns.some(([name, , value]) => COUNTED_CALLS.test(name) && Number(value) > 1);
  const isOther = named === undefined && kinds.some(callsNoModel);
  const isCall = textOf('requestedModel', attributes) !== undefined && hasNamedCounts(attributes);
  if (time === undefined || !isCall || isSum || isOther) return null;
  if (id === '' && isTimeOfSum(time)) {
    warnings.add(
      'A row without an id and with the time of a whole hour was skipped, because it can be a sum of calls',
    );
    return null;
  }
  const start = nanosecondsOf(time);
  const latency = toCount(Math.trunc(Number(first('latency') ?? Number.NaN)));
  const status = first('status') ?? '';
  const charge = first('charge');
  const event = {
    ...eventOfSpan(
      {
        ...{ resource: new Map(), scope: '', scopeVersion: '', traceId: '', spanId: '', parentSpanId: '' },
        ...{ start, end: latency === undefined ? 0n : start + BigInt(latency) * 1_000_000n },
        attributes,
        isError:
          isFalse(first('succeeded')) ||
          isTrue(first('failed')) ||
          Number(status) >= 400 ||
          FAILED.test(String(status)),
      },
      named ?? operationOf(attributes),
      [],
      ['usage row', id, time, ...(byModel === undefined ? [] : [byModel])],
      receivedAt,
      warnings,
    ),
    ingestion_layer: 'gateway',
    ...definedMembers({
      region: isOfCloud(attributes) ? regionIn(first('region')) : undefined,
      inference_region: regionIn(first('inferenceRegion')),
      billing_mode: typeof charge === 'string' ? billingModeOf(charge) : undefined,
    }),
    ...((BATCH_ID.test(id) || isTrue(first('batch')) || columns.some(([name]) => OF_BATCH.test(name))) && {
      batch: true,
    }),
  };
  if (id !== '') return event;
  warnings.add(
    'Rows have no id. One that says the same as a row of another body is taken as the same call: add a column id if it is another',
  );
  const content = contentOf(event, time, columns);
  return { ...event, event_id: eventIdOf('usage row', ...content, String(numberRow(content))) };
};

/** In the output of a batch: https://docs.cloud.google.com/vertex-ai/generative-ai/docs/multimodal/batch-prediction-gemini */
const OF_BATCH = /^processed_time$/;

/** The answer of a provider itself, whose id is that of the response. */
const RESPONSE = /^(?:response|chat\.completion|text_completion|message)$/;

/** Not the labels of a caller, who may name anything a type. */
const OF_ENTRY = /^row\.(?:(?:span_)?attributes\.)?[^.]+$/;

/** In the response of the provider, which tables of requests and outputs of batches have as a whole. */
const RESPONSE_ID = /^row\.(?:response(?:\.body)?\.(?:id|response_id)|response_id)$/;

/** `us.anthropic.claude-haiku-4-5-20251001-v1:0` of Converse, and not a number or a UUID. */
const modelIn = (id: unknown): string | undefined =>
  typeof id === 'string' && /(?:[a-z]{4}[^/]*|gpt|glm)[.-]/i.test(id) && !/^[\da-f-]+$/i.test(id)
    ? id
    : undefined;

/** `github-copilot`, and not a number or a UUID. */
const namedBy = (id: unknown): string | undefined =>
  typeof id === 'string' && /^[a-z][a-z.-]{2,}$/i.test(id) ? id : undefined;

/** Of an entry in the output of a batch of OpenAI. */
const BATCH_ID = /^batch_req_/;

const operationOf = (attributes: Attributes): string =>
  /embed/i.test(textOf('requestedModel', attributes) ?? '') ? 'embeddings' : 'chat';
