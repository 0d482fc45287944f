import * as z from 'zod';
import { FieldError } from '../../fieldError.ts';
import { route } from '../route.ts';

/** The gateway encodes these bodies in base64, which adds a third. A Lambda request is limited to 6 MB. */
const SENT_BYTES_MAXIMUM = 4 * 1_024 * 1_024;
/** Logs with prompts are large and compress well. */
const DECOMPRESSED_BYTES_MAXIMUM = 16 * 1_024 * 1_024;

const CallLog = z.looseObject({}).meta({
  id: 'CallLog',
  description:
    'A StandardLoggingPayload of LiteLLM, a ModelInvocationLog record of Amazon Bedrock, a message of a CloudWatch Logs subscription, a row of the request-response log of Vertex AI, of ApiManagementGatewayLlmLog or of a table of calls, or a CloudEvent of type ai.inference.completed.v1',
  example: {
    id: 'chatcmpl-9f2c7a1e4b6d4c0f8a',
    call_type: 'acompletion',
    status: 'success',
    custom_llm_provider: 'openai',
    model: 'gpt-4o',
    model_group: 'gpt-4o',
    startTime: 1_793_534_400,
    endTime: 1_793_534_402,
    prompt_tokens: 1_200,
    completion_tokens: 180,
    response_cost: 0.0048,
    metadata: { user_api_key_team_alias: 'checkout-assistant' },
  },
});

const CallLogsAccepted = z
  .object({
    accepted: z.int(),
    rejected: z.int().meta({ description: 'Calls that are no valid events' }),
    skipped: z.int().meta({ description: 'Entries that are no calls, or of an unknown format' }),
    errors: z
      .array(FieldError)
      .optional()
      .meta({ description: 'Why calls were rejected: the first ten reasons' }),
    warnings: z
      .array(z.string())
      .optional()
      .meta({ description: 'How values of accepted calls were changed' }),
  })
  .meta({ id: 'CallLogsAccepted' });
export type CallLogsAccepted = z.infer<typeof CallLogsAccepted>;

export const postCallLogs = route({
  method: 'POST',
  path: '/api/v1/call-logs',
  operation: 'postCallLogs',
  authority: { effect: 'ingestion', reveals: [], lanes: 'own' },
  unit: 'otlp',
  summary: 'Send the call logs of a gateway or provider',
  description:
    'Each logged call makes one record. LiteLLM sends them with its callback generic_api, and CloudEvents come in any HTTP mode. The body is one entry, an array, lines of JSON, CSV with a line of names, or the answer of an API that has the entries in a list, optionally gzip. The format is recognised by its shape. Prompts and model output are never stored. Repeated entries add nothing. A call that an application or OpenTelemetry reports too, with the same response id, makes one record.',
  access: 'ingest:write',
  discloses: 'none',
  rate: 'ingest',
  // Log forwarders such as Fluentd repeat 503 and drop the chunk on 500
  // (https://docs.fluentd.org/output/http#retryable_response_codes).
  faultCode: 'SERVICE_UNAVAILABLE',
  needs: ['accepted.send', 'progress.report'],
  body: {
    kind: 'log',
    mediaTypes: [
      'application/x-ndjson',
      'text/csv',
      'application/cloudevents+json',
      'application/cloudevents-batch+json',
    ],
    schema: z
      .union([CallLog, z.array(CallLog)])
      .meta({ id: 'CallLogs', example: CallLog.meta()?.['example'] }),
    accepts: z.custom<{
      readonly events: readonly unknown[];
      readonly skipped: number;
      readonly warnings: readonly string[];
    }>(),
    maxBytes: SENT_BYTES_MAXIMUM,
    maxDecompressedBytes: DECOMPRESSED_BYTES_MAXIMUM,
  },
  replies: { 202: { description: 'The accepted calls are in a durable queue', body: CallLogsAccepted } },
});
