import { callerMetadata } from './callerMetadata.ts';
import {
  identityMembers,
  membersOf,
  otherUsageMembers,
  requiredLabel,
  type Warnings,
} from './observedCall.ts';
import { decideCounts } from './tokenCounts.ts';
import { countAt, definedMembers, memberAt, textAt, toTimestamp, unreadCounts } from './values.ts';

/**
 * Whether a JSON value is a record of Amazon Bedrock's model invocation log
 * (https://docs.aws.amazon.com/bedrock/latest/userguide/model-invocation-logging.html).
 */
export const isBedrockRecord = (value: unknown): boolean =>
  memberAt(value, 'schemaType') === 'ModelInvocationLog' &&
  (textAt(value, 'requestId') ?? textAt(value, 'modelId')) !== undefined;

/** `arn:aws:sts::123456789012:assumed-role/checkout/session` → `assumed-role/checkout`: a session is not an owner. */
const principalOf = (arn: string | undefined): string | undefined => {
  const [kind, name, ...rest] = arn?.split(':').slice(5).join(':').split('/') ?? [];
  if (kind === undefined || name === undefined) return undefined;
  return kind === 'assumed-role' ? `${kind}/${name}` : [kind, name, ...rest].join('/');
};

/** The model id at the end of an ARN. */
const modelOf = (model: string | undefined): string | undefined =>
  model?.startsWith('arn:') ? model.slice(model.lastIndexOf('/') + 1) : model;

const READ: ReadonlySet<string> = new Set([
  'inputTokenCount',
  'outputTokenCount',
  'cacheReadInputTokenCount',
  'cacheWriteInputTokenCount',
  'outputImageCount',
]);

/** The tier that served the call, or latency-optimized inference, which exists in the standard tier only. */
const tierOf = (record: unknown): string | undefined =>
  textAt(record, 'performanceConfig', 'latency') === 'optimized'
    ? 'optimized'
    : (textAt(record, 'serviceTier', 'type') ?? textAt(record, 'serviceTier'));

/**
 * The usage in the body of an output, of a stream in one of its parts: what Converse answers, or Claude. Only it tells how long
 * the cache holds what was written.
 */
const usagesOf = (record: unknown): readonly unknown[] => {
  const body = memberAt(record, 'output', 'outputBodyJson');
  return (Array.isArray(body) ? body : [body]).flatMap((part) =>
    [memberAt(part, 'usage'), memberAt(part, 'metadata', 'usage'), memberAt(part, 'message', 'usage')].filter(
      (usage) => usage !== undefined,
    ),
  );
};

const writtenFor = (usages: readonly unknown[], lifetime: '1h' | '5m'): number | undefined => {
  const counts = usages.flatMap((usage) => {
    const list = memberAt(usage, 'cacheDetails');
    const details = Array.isArray(list) ? list.filter((one) => memberAt(one, 'ttl') === lifetime) : [];
    return [
      ...details.map((one) => countAt(one, 'inputTokens')),
      countAt(usage, 'cache_creation', `ephemeral_${lifetime}_input_tokens`),
    ].filter((count) => count !== undefined);
  });
  // The parts of a stream repeat what is known so far.
  return counts.length === 0 ? undefined : counts.reduce((most, count) => Math.max(most, count), 0);
};

/** The event of a call in a Bedrock log. Of the bodies of inputs and outputs, only the usage is read. */
export const eventOfBedrock = (
  record: unknown,
  receivedAt: string,
  warnings: Warnings,
): Record<string, unknown> => {
  const requestId = textAt(record, 'requestId') ?? '';
  const timestamp = toTimestamp(memberAt(record, 'timestamp'));
  const model = modelOf(textAt(record, 'modelId'));
  const metadata = callerMetadata(record, 'requestMetadata');
  const region = textAt(record, 'region');
  const usages = usagesOf(record);
  const counts = decideCounts(
    {
      input: countAt(record, 'input', 'inputTokenCount'),
      output: countAt(record, 'output', 'outputTokenCount'),
      cacheRead: countAt(record, 'input', 'cacheReadInputTokenCount'),
      cacheWrite: countAt(record, 'input', 'cacheWriteInputTokenCount'),
      hourWrite: writtenFor(usages, '1h'),
      fiveMinuteWrite: writtenFor(usages, '5m'),
    },
    { source: 'bedrock log', model },
    warnings,
  );
  return definedMembers({
    ...identityMembers({ requests: [requestId] }, 'bedrock', requestId, timestamp ?? '', region ?? ''),
    ingestion_layer: 'provider_log',
    source_system: 'bedrock',
    ingestion_timestamp: receivedAt,
    occurred_at: timestamp,
    provider: 'aws.bedrock',
    requested_model: requiredLabel('requested_model', model, 256, warnings),
    operation: model !== undefined && /embed/.test(model) ? 'embeddings' : 'chat',
    region,
    inference_region: textAt(record, 'inferenceRegion'),
    service_tier: tierOf(record),
    ...membersOf(counts),
    ...otherUsageMembers({ images: countAt(record, 'output', 'outputImageCount') }, [
      ...unreadCounts(memberAt(record, 'input'), READ),
      ...unreadCounts(memberAt(record, 'output'), READ),
    ]),
    ...metadata,
    attributed_identity: metadata['attributed_identity'] ?? principalOf(textAt(record, 'identity', 'arn')),
    status: textAt(record, 'errorCode') === undefined ? undefined : 'error',
  });
};
