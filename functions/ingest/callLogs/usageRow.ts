import { timestampOf, type Warnings } from '../formats/observedCall.ts';
import { memberAt, textAt, toCount, toTimestamp } from '../formats/values.ts';
import { storeAttribute, textOf } from '../otlp/attributes.ts';
import { eventOfSpan } from '../otlp/spanEvent.ts';
import { hasNamedCounts } from '../otlp/spanKind.ts';
import type { Attributes, AttributeValue } from '../otlp/telemetry.ts';

/** Columns by the words at their end, in snake case: `destination_model`, `ai_org`, `databricks_request_id`, `event_time`. */
const COLUMNS = {
  id: /^(?:id|(?:[a-z]+_)?(?:request|event|call|log|query|usage|generation)_id)$/,
  time: /^(?:created_at|timestamp|time|(?:event|request|start|usage)_time|(?:started|requested)_at)$/,
  model: /(?:^|_)model(?:_name)?$/,
  provider: /(?:^|_)(?:provider(?:_name)?|ai_org)$/,
  user: /^(?:requester|(?:end_)?user(?:_id|_email|_name)?)$/,
  latency: /^(?:latency|duration)_ms$/,
} as const;
type Column = keyof typeof COLUMNS;

/** Units of the column `cost`, by another column that only one gateway has: Portkey, Helicone, Cloudflare. */
const COST_UNITS: readonly (readonly [mark: string, unit: string])[] = [
  // https://portkey.ai/docs/product/observability/logs-export
  ['req_units', 'cost_usd_cents'],
  // https://docs.helicone.ai/features/webhooks
  ['request_response_url', 'cost_usd'],
  // https://developers.cloudflare.com/ai-gateway/observability/costs/
  ['custom_cost', 'cost_usd'],
];

/** Objects of counts and costs in a row. All others can hold content. */
const NESTED = /(?:^|_)(?:usage|tokens?|details|metadata|cost|costs)$/;
const DEPTH_MAXIMUM = 3;
const COLUMNS_MAXIMUM = 200;

/** Sums of several calls are no calls. */
const COUNTED_CALLS =
  /^(?:num_|total_)?(?:model_)?(?:call|request|invocation)s?(?:_count)?$|^(?:call|request)_count$/;

const snake = (name: string): string =>
  name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replaceAll(/[^A-Za-z0-9]+/g, '_')
    .toLowerCase();

/** The members of a row and of its objects of counts, by their names in snake case and their paths. */
const columnsOf = (row: unknown, path: string, depth: number): (readonly [string, string, unknown])[] =>
  typeof row !== 'object' || row === null || Array.isArray(row)
    ? []
    : Object.entries(row)
        .slice(0, COLUMNS_MAXIMUM)
        .flatMap(([member, value]) => {
          const name = snake(member);
          const at = `${path}.${name}`;
          if (typeof value === 'object' && value !== null) {
            return depth < DEPTH_MAXIMUM && NESTED.test(name) ? columnsOf(value, at, depth + 1) : [];
          }
          return [[name, at, value] as const];
        });

const isScalar = (value: unknown): value is AttributeValue =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';

/** What the columns count, by the words of their names, as attributes of a span. */
const countsIn = (columns: readonly (readonly [string, string, unknown])[]): Map<string, AttributeValue> => {
  const attributes = new Map<string, AttributeValue>();
  const unit = COST_UNITS.find(([mark]) => columns.some(([name]) => name === mark))?.[1];
  for (const [name, path, value] of columns) {
    for (const known of [name, unit === undefined ? path : path.replace(/\.cost$/, `.${unit}`)]) {
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

/**
 * The event of a row of a table of calls, as gateways and warehouses export them, recognised by its columns: an id, a time, a
 * model and token counts. Null for any other value, and for sums of several calls.
 */
export const eventOfUsageRow = (
  row: unknown,
  receivedAt: string,
  warnings: Warnings,
): Record<string, unknown> | null => {
  const columns = columnsOf(row, 'row', 1);
  const first = (column: Column): unknown =>
    columns.find(([name, , value]) => COLUMNS[column].test(name) && (value ?? '') !== '')?.[2];
  const [id, time] = [String(first('id') ?? ''), timeOf(first('time'))];
  const attributes = countsIn(columns);
  for (const [column, name] of [
    ['model', 'gen_ai.request.model'],
    ['provider', 'gen_ai.provider.name'],
    ['user', 'enduser.id'],
  ] as const) {
    const value = first(column);
    if (typeof value === 'string') attributes.set(name, value);
  }
  const isSum = columns.some(([name, , value]) => COUNTED_CALLS.test(name) && Number(value) > 1);
  const isCall = textOf('requestedModel', attributes) !== undefined && hasNamedCounts(attributes) && !isSum;
  if (id === '' || time === undefined || !isCall) return null;
  const start = nanosecondsOf(time);
  const latency = toCount(Math.trunc(Number(first('latency') ?? 0))) ?? 0;
  return {
    ...eventOfSpan(
      {
        ...{ resource: new Map(), scope: '', scopeVersion: '', traceId: '', spanId: '', parentSpanId: '' },
        ...{ start, end: start + BigInt(latency) * 1_000_000n },
        attributes: withAnswer(attributes, row),
        isError: isFailed(row),
      },
      operationOf(attributes),
      [],
      ['usage row', id, time],
      receivedAt,
      warnings,
    ),
    ingestion_layer: 'gateway',
  };
};

const operationOf = (attributes: Attributes): string =>
  /embed/i.test(textOf('requestedModel', attributes) ?? '') ? 'embeddings' : 'chat';

/** Whether the cache of the gateway answered. */
const withAnswer = (attributes: Attributes, row: unknown): Attributes =>
  memberAt(row, 'cached') === true ? new Map([...attributes, ['cache_status', 'HIT']]) : attributes;

const isFailed = (row: unknown): boolean =>
  memberAt(row, 'success') === false ||
  memberAt(row, 'is_success') === false ||
  Number(
    memberAt(row, 'status_code') ?? memberAt(row, 'response_status_code') ?? textAt(row, 'status') ?? 0,
  ) >= 400;
