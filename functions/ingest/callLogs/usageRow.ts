import { providerOfHost } from '../../impact/usage/modelIdentity.ts';
import type { ItemBudget } from '../../platform/shared/itemBudget.ts';
import { timestampOf, type Warnings } from '../formats/observedCall.ts';
import { callsNoModel, modelOperationOf } from '../formats/operationNames.ts';
import { toCount, toTimestamp } from '../formats/values.ts';
import { storeAttribute, textOf } from '../otlp/attributes.ts';
import { eventOfSpan } from '../otlp/spanEvent.ts';
import { hasNamedCounts } from '../otlp/spanKind.ts';
import type { Attributes, AttributeValue } from '../otlp/telemetry.ts';
import { type Cell, COLUMNS, type Column, columnsOf } from './columns.ts';

/** Units of a cost, by another column that only one source has. `isCharged`: it sells the calls, unless the key is of the caller. */
const COSTS: readonly {
  readonly mark: RegExp;
  readonly unit: 'usd' | 'usd_cents';
  readonly isCharged?: true;
}[] = [
  // https://portkey.ai/docs/product/observability/logs-export
  { mark: /^req_units$/, unit: 'usd_cents' },
  // Helicone: https://docs.helicone.ai/features/webhooks
  { mark: /^request_response_url$/, unit: 'usd' },
  // https://developers.cloudflare.com/ai-gateway/observability/costs/
  { mark: /^custom_cost$/, unit: 'usd' },
  // OpenRouter and Vercel: https://openrouter.ai/docs/api-reference/get-a-generation
  { mark: COLUMNS.byok, unit: 'usd', isCharged: true },
  // LangSmith: https://docs.langchain.com/langsmith/cost-tracking
  { mark: /^ls_model_name$/, unit: 'usd' },
  // https://github.com/maximhq/bifrost framework/logstore
  { mark: /^number_of_retries$/, unit: 'usd' },
  // https://github.com/theopenco/llmgateway packages/db/src/schema.ts
  { mark: /^used_provider$/, unit: 'usd' },
];
const COST = /\.(?:(?:total_)?cost|cost_total)$/;

/** Sums of several calls are no calls. */
const COUNTED_CALLS =
  /^(?:num_|total_)?(?:model_)?(?:call|request|invocation)s?(?:_count)?$|^(?:call|request)_count$/;

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
  const source = COSTS.find(({ mark }) => columns.some(([name]) => mark.test(name)));
  // A gateway that does not sell the call charges a fee.
  const costs =
    isByok && source?.isCharged === true ? columns.filter(([, path]) => !COST.test(path)) : columns;
  if (source?.isCharged === true) attributes.set('gen_ai.usage.cost.source', 'provider');
  for (const [name, path, value] of costs) {
    const stated = source !== undefined && COST.test(path) ? `${path}_${source.unit}` : usagePath(name, path);
    for (const known of [name, stated]) {
      storeAttribute(attributes, known, () => (isScalar(value) ? value : undefined), { content: new Set() });
    }
  }
  return attributes;
};

/** A time in RFC 3339, or in seconds, milliseconds or finer units since 1970. */
const timeOf = (value: unknown): string | undefined => {
  const number = typeof value === 'string' && /^\d{9,19}$/.test(value) ? Number(value) : value;
  return Number.isFinite(number) && typeof number === 'number' && number >= 1
    ? timestampOf(BigInt(Math.trunc(number)))
    : toTimestamp(value);
};

const nanosecondsOf = (time: string): bigint => BigInt(Date.parse(time)) * 1_000_000n;

/** Whether a column says so. Tables in CSV have only text. */
const isTrue = (value: unknown): boolean => value === true || /^true$/i.test(String(value));
const isFalse = (value: unknown): boolean => value === false || /^false$/i.test(String(value));
const FAILED = /^(?:error|errored|failed|failure)$/i;

/**
 * The event of a row of a table of calls, as gateways and warehouses export them, recognised by its columns: an id, a time, a
 * model and token counts. Null for any other value, and for sums of several calls.
 */
export const eventOfUsageRow = (
  row: unknown,
  receivedAt: string,
  warnings: Warnings,
  items: ItemBudget,
): Record<string, unknown> | null => {
  const columns = columnsOf(row, items);
  const first = (column: Column): unknown =>
    columns.find(([name, , value]) => COLUMNS[column].test(name) && (value ?? '') !== '')?.[2];
  const [id, time] = [String(first('id') ?? ''), timeOf(first('time'))];
  const kinds = columns.flatMap(([name, path, value]) =>
    COLUMNS.kind.test(name) && OF_ENTRY.test(path) && typeof value === 'string' ? [value] : [],
  );
  const named = kinds.map(modelOperationOf).find((operation) => operation !== undefined);
  const byok = first('byok');
  const attributes = countsIn(columns, isTrue(byok) || Number(byok) > 0);
  const address = first('address');
  for (const [name, value] of [
    ['gen_ai.request.model', first('model')],
    [
      'gen_ai.provider.name',
      first('provider') ?? (typeof address === 'string' ? providerOfHost(address) : undefined),
    ],
    ['enduser.id', first('user')],
    ['team', first('team')],
    ['metadata.user_api_key_alias', first('key')],
    ['gen_ai.response.service_tier', first('speed') === 'fast' ? 'fast' : first('tier')],
  ] as const) {
    if (typeof value === 'string') attributes.set(name, value);
  }
  const responseId = columns.find(([, path]) => RESPONSE_ID.test(path))?.[2];
  if (typeof responseId === 'string') attributes.set('gen_ai.response.id', responseId);
  if (isTrue(first('cached'))) attributes.set('cache_status', 'HIT');
  const isSum = columns.some(([name, , value]) => COUNTED_CALLS.test(name) && Number(value) > 1);
  const isOther = named === undefined && kinds.some(callsNoModel);
  const isCall = textOf('requestedModel', attributes) !== undefined && hasNamedCounts(attributes);
  if (id === '' || time === undefined || !isCall || isSum || isOther) return null;
  const start = nanosecondsOf(time);
  const latency = toCount(Math.trunc(Number(first('latency') ?? Number.NaN)));
  const status = first('status') ?? '';
  return {
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
      ['usage row', id, time],
      receivedAt,
      warnings,
    ),
    ingestion_layer: 'gateway',
    ...((BATCH_ID.test(id) || isTrue(first('batch'))) && { batch: true }),
  };
};

/** Not the labels of a caller, who may name anything a type. */
const OF_ENTRY = /^row\.(?:(?:span_)?attributes\.)?[^.]+$/;

/** In the response of the provider, which tables of requests and outputs of batches have as a whole. */
const RESPONSE_ID = /^row\.response(?:\.body)?\.id$/;

/** Of an entry in the output of a batch of OpenAI. */
const BATCH_ID = /^batch_req_/;

const operationOf = (attributes: Attributes): string =>
  /embed/i.test(textOf('requestedModel', attributes) ?? '') ? 'embeddings' : 'chat';
