import { providerOfHost } from '../../impact/usage/modelIdentity.ts';
import type { ItemBudget } from '../../platform/shared/itemBudget.ts';
import { parseContentJson } from '../../platform/shared/json.ts';
import { timestampOf, type Warnings } from '../formats/observedCall.ts';
import { callsNoModel, modelOperationOf } from '../formats/operationNames.ts';
import { toCount, toTimestamp } from '../formats/values.ts';
import { storeAttribute, textOf } from '../otlp/attributes.ts';
import { eventOfSpan } from '../otlp/spanEvent.ts';
import { hasNamedCounts } from '../otlp/spanKind.ts';
import type { Attributes, AttributeValue } from '../otlp/telemetry.ts';

/** Columns by the words at their end, in snake case: `destination_model`, `ai_org`, `databricks_request_id`, `event_time`. */
const COLUMNS = {
  id: /^(?:id|uuid|(?:[a-z]+_)?(?:request|event|call|log|query|usage|generation)_id)$/,
  time: /^(?:(?:request_)?created(?:_at)?|timestamp|time|(?:event|request|start|usage)_time|(?:started|requested)_at)$/,
  /** What the entry is, where calls and the chains above them are in one table: `run_type` of LangSmith, `type` of Langfuse. */
  kind: /^(?:(?:run|span|observation|request|call)_)?type$|^object$/,
  model: /(?:^|_)model(?:_name|_permaslug)?$/,
  provider: /(?:^|_)(?:provider(?:_name)?|ai_org)$/,
  user: /^(?:requester|(?:request_|end_)?user(?:_id|_email|_name)?|username|distinct_id)$/,
  team: /^team(?:_name|_alias)?$/,
  key: /^(?:(?:api|virtual)_key|token)_(?:name|alias)$/,
  address: /(?:^|_)(?:base_url|api_base|upstream)$/,
  latency: /^(?:latency|duration)_ms$/,
  succeeded: /^(?:is_)?success$/,
  failed: /^(?:has|is)_error$/,
  status: /^(?:response_)?status(?:_code)?$/,
  cached: /^(?:cached|cache_hit)$/,
  byok: /^(?:is_byok|byok_usage_inference)$/,
} as const;
type Column = keyof typeof COLUMNS;

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

/** Objects of counts, costs and labels in a row, also as JSON in a text. All others can hold content. */
const NESTED =
  /(?:^|_)(?:usage|tokens?|details|metadata|cost|costs|granular)$|^(?:extra|properties|other|ai_log|response|body)$/;
const DEPTH_MAXIMUM = 5;
const COLUMNS_MAXIMUM = 200;

/** Sums of several calls are no calls. */
const COUNTED_CALLS =
  /^(?:num_|total_)?(?:model_)?(?:call|request|invocation)s?(?:_count)?$|^(?:call|request)_count$/;

const snake = (name: string): string =>
  name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replaceAll(/[^A-Za-z0-9]+/g, '_')
    .replaceAll(/^_+|_+$/g, '')
    .toLowerCase();

/** A member of a row: its name in snake case, its path, its value. */
type Cell = readonly [name: string, path: string, value: unknown];

/** The members of a row and of its objects of counts, by their names in snake case and their paths. */
const membersIn = (row: unknown, path: string, depth: number, items: ItemBudget): Cell[] =>
  typeof row !== 'object' || row === null || Array.isArray(row)
    ? []
    : Object.entries(row)
        .slice(0, COLUMNS_MAXIMUM)
        .flatMap(([member, value]): Cell[] => {
          const name = snake(member);
          const at = `${path}.${name}`;
          const isRead = depth < DEPTH_MAXIMUM && NESTED.test(name);
          if (typeof value === 'object' && value !== null) {
            return isRead ? membersIn(value, at, depth + 1, items) : [];
          }
          const object =
            isRead && typeof value === 'string' && value.startsWith('{')
              ? parseContentJson(value, items)?.value
              : undefined;
          return object === undefined ? [[name, at, value]] : membersIn(object, at, depth + 1, items);
        });

/** Of counts in the tokens of the provider, `native_tokens_prompt`, and counts in other tokens, only the first are charged. */
const NATIVE = 'native_';
const columnsOf = (row: unknown, items: ItemBudget): readonly Cell[] => {
  const members = membersIn(row, 'row', 1, items);
  const native = new Set(
    members.flatMap(([name]) => (name.startsWith(NATIVE) ? [name.slice(NATIVE.length)] : [])),
  );
  return members
    .filter(([name]) => !native.has(name))
    .map(([name, path, value]) =>
      name.startsWith(NATIVE)
        ? [name.slice(NATIVE.length), path.replace(NATIVE, ''), value]
        : [name, path, value],
    );
};

const isScalar = (value: unknown): value is AttributeValue =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';

/** What the columns count, by the words of their names, as attributes of a span. */
const countsIn = (columns: readonly Cell[], isByok: boolean): Map<string, AttributeValue> => {
  const attributes = new Map<string, AttributeValue>();
  const source = COSTS.find(({ mark }) => columns.some(([name]) => mark.test(name)));
  // A gateway that does not sell the call charges a fee.
  const costs =
    isByok && source?.isCharged === true ? columns.filter(([, path]) => !COST.test(path)) : columns;
  if (source?.isCharged === true) attributes.set('gen_ai.usage.cost.source', 'provider');
  for (const [name, path, value] of costs) {
    const stated = source !== undefined && COST.test(path) ? `${path}_${source.unit}` : path;
    // Snowflake names the sum of all kinds so.
    for (const known of [name, path === 'row.tokens' ? 'row.total_tokens' : stated]) {
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
const isTrue = (value: unknown): boolean =>
  value === true || /^true$/i.test(String(value)) || Number(value) > 0;
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
  const [id, time, kind] = [String(first('id') ?? ''), timeOf(first('time')), first('kind')];
  const attributes = countsIn(columns, isTrue(first('byok')));
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
  ] as const) {
    if (typeof value === 'string') attributes.set(name, value);
  }
  const responseId = columns.find(([, path]) => RESPONSE_ID.test(path))?.[2];
  if (typeof responseId === 'string') attributes.set('gen_ai.response.id', responseId);
  if (isTrue(first('cached'))) attributes.set('cache_status', 'HIT');
  const isSum = columns.some(([name, , value]) => COUNTED_CALLS.test(name) && Number(value) > 1);
  const isOther = typeof kind === 'string' && callsNoModel(kind);
  const isCall = textOf('requestedModel', attributes) !== undefined && hasNamedCounts(attributes);
  if (id === '' || time === undefined || !isCall || isSum || isOther) return null;
  const start = nanosecondsOf(time);
  const latency = toCount(Math.trunc(Number(first('latency') ?? 0))) ?? 0;
  const status = first('status') ?? '';
  return {
    ...eventOfSpan(
      {
        ...{ resource: new Map(), scope: '', scopeVersion: '', traceId: '', spanId: '', parentSpanId: '' },
        ...{ start, end: start + BigInt(latency) * 1_000_000n },
        attributes,
        isError:
          isFalse(first('succeeded')) ||
          isTrue(first('failed')) ||
          Number(status) >= 400 ||
          FAILED.test(String(status)),
      },
      operationOf(kind, attributes),
      [],
      ['usage row', id, time],
      receivedAt,
      warnings,
    ),
    ingestion_layer: 'gateway',
    ...(BATCH_ID.test(id) && { batch: true }),
  };
};

/** In the response of the provider, which tables of requests and outputs of batches have as a whole. */
const RESPONSE_ID = /^row\.response(?:\.body)?\.id$/;

/** Of an entry in the output of a batch of OpenAI. */
const BATCH_ID = /^batch_req_/;

const operationOf = (kind: unknown, attributes: Attributes): string =>
  (typeof kind === 'string' ? modelOperationOf(kind) : undefined) ??
  (/embed/i.test(textOf('requestedModel', attributes) ?? '') ? 'embeddings' : 'chat');
