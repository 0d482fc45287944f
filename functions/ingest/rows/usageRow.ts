import { isAbsent } from '../../../schemas/labels/absentText.ts';
import { providerOfHost } from '../../impact/usage/modelIdentity.ts';
import type { ItemBudget } from '../../platform/shared/itemBudget.ts';
import type { RowOutcome } from '../formats/callLog.ts';
import { eventIdOf, timestampOf, type Warnings } from '../formats/observedCall.ts';
import { callsNoModel, modelOperationOf } from '../formats/operationNames.ts';
import { definedMembers, toCount } from '../formats/values.ts';
import { textOf } from '../spans/attributes.ts';
import { eventOfSpan } from '../spans/spanEvent.ts';
import { hasCost, hasNamedCounts, operationOfUnits } from '../spans/spanKind.ts';
import type { Attributes, LogRecord } from '../spans/telemetry.ts';
import { isOfBatch } from './batchRow.ts';
import { COLUMNS, type Column, columnsOf } from './columns.ts';
import { modelRows } from './modelRows.ts';
import { billingModeOf, paysUpstream } from './rowCosts.ts';
import { countsIn } from './rowCounts.ts';
import { contentOf, isTimeOfSum, type NumberRow } from './rowIdentity.ts';
import { isOfCloud, regionIn, semanticsOf, servedBy } from './rowOrigin.ts';
import { timeOf } from './rowTime.ts';

/** Sums of several calls are no calls. */
const COUNTED_CALLS =
  /^(?:num_|total_)?(?:model_)?(?:call|request|invocation)s?(?:_count)?$|^(?:call|request)_count$/;

/** Requests of the tools of one call: `tool_usage.web_search.num_requests` of OpenAI. */
const OF_TOOLS = /tool/;

/** What a provider answers of a batch states the usage of all its lines: https://platform.openai.com/docs/api-reference/batch */
const OF_CALLS = /^batch$/;

const nanosecondsOf = (time: string): bigint => BigInt(Date.parse(time)) * 1_000_000n;

/** Whether a column says so. Tables in CSV have only text. */
const isTrue = (value: unknown): boolean => value === true || /^true$/i.test(String(value));
const isFalse = (value: unknown): boolean => value === false || /^false$/i.test(String(value));
const FAILED = /^(?:error|errored|failed|failure)$/i;

const saysNothing = (value: unknown): boolean => {
  const said = value ?? '';
  return said === '' || (typeof said === 'string' && isAbsent(said));
};

/** What all rows of a body share. */
interface RowReading {
  readonly receivedAt: string;
  readonly warnings: Warnings;
  readonly items: ItemBudget;
  readonly numberRow: NumberRow;
  /** The log record whose body is the row. It tells when and where the call was, unless the row does. */
  readonly record?: LogRecord;
  /** When a row without a time was answered, if what has the row tells. */
  readonly around?: string | undefined;
}

/** Of a row of a table. */
const NOWHERE = { resource: new Map(), scope: '', scopeVersion: '', traceId: '', spanId: '' };

/**
 * The events of a row of a table of calls, as gateways and warehouses export them, recognised by its columns: a time, a model and
 * token counts or a cost. Why there is none, if it has a model. Null for any other value.
 */
export const eventsOfUsageRow = (row: unknown, reading: RowReading): RowOutcome => {
  const outcomes = modelRows(row, reading.items).map(([one, model]) => eventOf(one, model, reading));
  const events = outcomes.filter((outcome) => outcome !== null && typeof outcome !== 'string');
  const [reason = null] = outcomes.filter((outcome) => typeof outcome === 'string');
  return events.length > 0 ? events : reason;
};

/** `byModel`: the model, if other models have the id of the row too, or the plugin, if other plugins do. */
const eventOf = (
  row: unknown,
  byModel: string | undefined,
  { receivedAt, warnings, items, numberRow, record, around }: RowReading,
): Record<string, unknown> | string | null => {
  const columns = columnsOf(row, items);
  const first = (column: Column): unknown =>
    columns.find(([name, , value]) => COLUMNS[column].test(name) && !saysNothing(value))?.[2];
  const id = String(first('id') ?? '');
  const time = columns
    .flatMap(([name, , value]) => (COLUMNS.time.test(name) ? (timeOf(value) ?? []) : []))
    .concat((record !== undefined && timestampOf(record.time)) || [], timeOf(around) ?? [])
    .at(0);
  const kinds = columns.flatMap(([name, path, value]) =>
    COLUMNS.kind.test(name) && OF_ENTRY.test(path) && typeof value === 'string' ? [value] : [],
  );
  const named = kinds.map(modelOperationOf).find((operation) => operation !== undefined);
  const byok = first('byok');
  const attributes = countsIn(columns, isTrue(byok) || Number(byok) > 0 || paysUpstream(columns));
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
  const semantics = semanticsOf(columns);
  if (semantics !== undefined) attributes.set('gen_ai.token.semantics', semantics);
  const isResponse = kinds.some((kind) => RESPONSE.test(kind));
  const hasMessage = columns.some(([, path, value]) => path === 'row.message.type' && value === 'message');
  const responseId = columns.find(
    ([, path]) =>
      RESPONSE_ID.test(path) ||
      (isResponse && path === 'row.id') ||
      (hasMessage && path === 'row.message.id'),
  )?.[2];
  if (typeof responseId === 'string') attributes.set('gen_ai.response.id', responseId);
  if (isTrue(first('cached'))) attributes.set('cache_status', 'HIT');
  const isSum =
    kinds.some((kind) => OF_CALLS.test(kind)) ||
    columns.some(
      ([name, path, value]) => COUNTED_CALLS.test(name) && !OF_TOOLS.test(path) && Number(value) > 1,
    );
  const isOther = named === undefined && kinds.some((kind) => callsNoModel(kind) && !RESPONSE.test(kind));
  const byUnits = operationOfUnits(attributes);
  if (isOther) return null;
  if (textOf('requestedModel', attributes) === undefined) {
    return time !== undefined && hasNamedCounts(attributes)
      ? 'A row with a time and token counts was skipped, because it names no model: add a column model'
      : null;
  }
  if (isSum) return 'A row was skipped, because it is a sum of several calls';
  if (!hasNamedCounts(attributes) && byUnits === undefined && !hasCost(attributes)) {
    return 'A row with a model was skipped, because it has neither input nor output tokens, nor a cost in USD';
  }
  if (time === undefined) {
    return 'A row with a model and counts was skipped, because it has no time: add a column timestamp';
  }
  if (id === '' && record === undefined && isTimeOfSum(time)) {
    return 'A row without an id and with the time of a whole hour was skipped, because it can be a sum of calls';
  }
  const start = nanosecondsOf(time);
  const latency = toCount(Math.trunc(Number(first('latency') ?? Number.NaN)));
  const status = first('status') ?? '';
  const charge = first('charge');
  const event = {
    ...eventOfSpan(
      {
        ...(record ?? NOWHERE),
        parentSpanId: '',
        ...{ start, end: latency === undefined ? 0n : start + BigInt(latency) * 1_000_000n },
        attributes: new Map([...(record?.attributes ?? []), ...attributes]),
        isError:
          isFalse(first('succeeded')) ||
          isTrue(first('failed')) ||
          Number(status) >= 400 ||
          FAILED.test(String(status)),
      },
      named ?? byUnits ?? operationOf(attributes),
      [],
      ['usage row', id, time, ...(byModel === undefined ? [] : [byModel])],
      receivedAt,
      warnings,
    ),
    ingestion_layer: record === undefined ? 'gateway' : 'otlp',
    ...definedMembers({
      region: isOfCloud(attributes) ? regionIn(first('region')) : undefined,
      inference_region: regionIn(first('inferenceRegion')),
      billing_mode: typeof charge === 'string' ? billingModeOf(charge) : undefined,
    }),
    ...((isTrue(first('batch')) || isOfBatch(columns)) && { batch: true }),
  };
  if (id !== '' || record !== undefined) return event;
  warnings.add(
    'Rows have no id. One that says the same as a row of another body is taken as the same call: add a column id if it is another',
  );
  const content = contentOf(event, time, columns);
  return { ...event, event_id: eventIdOf('usage row', ...content, String(numberRow(content))) };
};

/** The answer of a provider itself, whose id is that of the response. */
const RESPONSE = /^(?:response|chat\.completion|text_completion|message|interaction)$/;

/** Not the labels of a caller, who may name anything a type. */
const OF_ENTRY = /^row\.(?:(?:span_)?attributes\.)?[^.]+$/;

/** In the response of the provider, which tables of requests and outputs of batches have as a whole. */
const RESPONSE_ID =
  /^row\.(?:(?:response(?:\.body)?|output|result\.message|model_output|batch_result\.response\.[^.]+)\.(?:id|response_id)|response_id)$/;

/** `us.anthropic.claude-haiku-4-5-20251001-v1:0` of Converse, and not a number or a UUID. */
const modelIn = (id: unknown): string | undefined =>
  typeof id === 'string' && /(?:[a-z]{4}[^/]*|gpt|glm)[.-]/i.test(id) && !/^[\da-f-]+$/i.test(id)
    ? id
    : undefined;

/** `github-copilot`, and not a number or a UUID. */
const namedBy = (id: unknown): string | undefined =>
  typeof id === 'string' && /^[a-z][a-z.-]{2,}$/i.test(id) ? id : undefined;

const operationOf = (attributes: Attributes): string =>
  /embed/i.test(textOf('requestedModel', attributes) ?? '') ? 'embeddings' : 'chat';
