import { INVOCATION_EVENT_FIELDS } from '../../../schemas/ingest/invocationEvent.ts';
import { eventIdOf } from './observedCall.ts';
import { memberAt, textAt, toTimestamp } from './values.ts';

/** The type of a CloudEvent whose data is an inference event. */
export const INFERENCE_EVENT_TYPE = 'ai.inference.completed.v1';

/** The attribute in a header, which is percent-encoded and can be quoted (RFC 9110 §5.6.4). A wrong encoding is kept as it is. */
const decodeHeader = (value: string): string => {
  const text = /^".*"$/s.test(value) ? value.slice(1, -1).replaceAll(/\\(.)/gs, '$1') : value;
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

const ATTRIBUTES = ['specversion', 'type', 'source', 'id', 'time', 'subject'];

/**
 * The CloudEvent of a request in binary mode, whose attributes are headers and whose body is the data. Null in the modes whose
 * media type says that the body holds the event, even if a gateway has copied its attributes to headers
 * (https://github.com/cloudevents/spec/blob/v1.0.2/cloudevents/bindings/http-protocol-binding.md).
 */
export const binaryCloudEvent = (
  header: (name: string) => string | undefined,
  data: unknown,
): Record<string, unknown> | null => {
  if (header('ce-specversion') === undefined) return null;
  if (header('content-type')?.trim().toLowerCase().startsWith('application/cloudevents')) return null;
  const attributes = ATTRIBUTES.flatMap((name) => {
    const value = header(`ce-${name}`);
    return value === undefined ? [] : [[name, decodeHeader(value)] as const];
  });
  return { ...Object.fromEntries(attributes), data };
};

export const isInferenceCloudEvent = (value: unknown): boolean =>
  memberAt(value, 'specversion') === '1.0' && memberAt(value, 'type') === INFERENCE_EVENT_TYPE;

/**
 * The inference event in the data of a CloudEvent. `source` and `id` identify it, `time` is its time, and `subject` its
 * owner, if the data does not say otherwise. Members that no event has are dropped, but for a tenant that it names.
 */
export const eventOfCloudEvent = (value: unknown, receivedAt: string): Record<string, unknown> => {
  const members = ['tenant_id', ...INVOCATION_EVENT_FIELDS].map(
    (name) => [name, memberAt(value, 'data', name)] as const,
  );
  const source = textAt(value, 'source') ?? '';
  const time = toTimestamp(textAt(value, 'time'));
  const subject = textAt(value, 'subject');
  const system = textAt(value, 'source');
  return {
    event_id: eventIdOf('cloudevent', source, textAt(value, 'id') ?? ''),
    ingestion_layer: 'application',
    ingestion_timestamp: time ?? receivedAt,
    ...(time !== undefined && { occurred_at: time }),
    ...(system !== undefined && { source_system: system }),
    ...(subject !== undefined && { attributed_identity: subject }),
    ...Object.fromEntries(members.filter(([, member]) => member !== undefined)),
  };
};
