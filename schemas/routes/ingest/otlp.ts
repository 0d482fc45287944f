import * as z from 'zod';
import { route } from '../route.ts';

/** The gateway encodes these bodies in base64, which adds a third. A Lambda request is limited to 6 MB. */
const SENT_BYTES_MAXIMUM = 4 * 1_024 * 1_024;
/** Spans with prompts are large and compress well. The protocol advises receivers to accept 20 MiB. */
const DECOMPRESSED_BYTES_MAXIMUM = 16 * 1_024 * 1_024;

const documentation = 'https://opentelemetry.io/docs/specs/otlp/#otlphttp';

const attribute = (key: string, value: object) => ({ key, value });

const TraceExport = z.looseObject({ resourceSpans: z.array(z.looseObject({})).optional() }).meta({
  id: 'TraceExport',
  description: `ExportTraceServiceRequest of ${documentation}`,
  example: {
    resourceSpans: [
      {
        resource: { attributes: [attribute('service.name', { stringValue: 'checkout-assistant' })] },
        scopeSpans: [
          {
            spans: [
              {
                traceId: '5b8efff798038103d269b633813fc60c',
                spanId: 'eee19b7ec3c1b174',
                kind: 3,
                startTimeUnixNano: '1793534400000000000',
                endTimeUnixNano: '1793534402000000000',
                attributes: [
                  attribute('gen_ai.operation.name', { stringValue: 'chat' }),
                  attribute('gen_ai.request.model', { stringValue: 'gpt-4o' }),
                  attribute('gen_ai.usage.input_tokens', { intValue: '1000' }),
                ],
              },
            ],
          },
        ],
      },
    ],
  },
});
const LogExport = z.looseObject({ resourceLogs: z.array(z.looseObject({})).optional() }).meta({
  id: 'LogExport',
  description: `ExportLogsServiceRequest of ${documentation}`,
  example: {
    resourceLogs: [
      {
        scopeLogs: [
          {
            logRecords: [
              {
                timeUnixNano: '1793534402000000000',
                eventName: 'claude_code.api_request',
                attributes: [attribute('model', { stringValue: 'claude-sonnet-4-5' })],
              },
            ],
          },
        ],
      },
    ],
  },
});

const MetricExport = z.looseObject({ resourceMetrics: z.array(z.looseObject({})).optional() }).meta({
  id: 'MetricExport',
  description: `ExportMetricsServiceRequest of ${documentation}`,
  example: {
    resourceMetrics: [
      {
        scopeMetrics: [
          {
            metrics: [
              {
                name: 'gen_ai.client.token.usage',
                sum: { dataPoints: [{ timeUnixNano: '1793534402000000000', asInt: '1000' }] },
              },
            ],
          },
        ],
      },
    ],
  },
});

const rejected = z.string().meta({ description: 'Number of rejected items, as a 64-bit integer in text' });
const errorMessage = z
  .string()
  .meta({ description: 'Why the first of them was rejected, and how values of the others were changed' });

export const TraceExportAccepted = z
  .object({ partialSuccess: z.object({ rejectedSpans: rejected, errorMessage }).optional() })
  .meta({ id: 'TraceExportAccepted' });
export const LogExportAccepted = z
  .object({ partialSuccess: z.object({ rejectedLogRecords: rejected, errorMessage }).optional() })
  .meta({ id: 'LogExportAccepted' });
export const MetricExportAccepted = z
  .object({ partialSuccess: z.object({ rejectedDataPoints: rejected, errorMessage }).optional() })
  .meta({ id: 'MetricExportAccepted' });

const rules =
  'OTLP/HTTP with protobuf or JSON, optionally gzip. Attributes that are not needed, prompts among them, are skipped and never stored. ' +
  'Errors are a google.rpc.Status. A repeated export adds nothing.';

const common = {
  method: 'POST',
  authority: { effect: 'ingestion', reveals: [], lanes: 'own' },
  unit: 'otlp',
  access: 'ingest:write',
  discloses: 'none',
  rate: 'ingest',
  // Exporters repeat 503 and lose the data on 500 (https://opentelemetry.io/docs/specs/otlp/#retryable-response-codes).
  faultCode: 'SERVICE_UNAVAILABLE',
  needs: ['accepted.send', 'progress.report'],
} as const;

interface DecodedCalls {
  readonly events: readonly unknown[];
  readonly unidentified: number;
  readonly unread: ReadonlyMap<string, number>;
  readonly uncounted: number;
  readonly content: readonly string[];
  readonly warnings: readonly string[];
}

/** `Decoded`: what the decoder of the operation makes of the bytes. */
const bodyOf = <Decoded>(schema: z.ZodType) =>
  ({
    kind: 'otlp',
    mediaTypes: ['application/json'],
    schema,
    accepts: z.custom<Decoded>(),
    maxBytes: SENT_BYTES_MAXIMUM,
    maxDecompressedBytes: DECOMPRESSED_BYTES_MAXIMUM,
  }) as const;

export const postTraces = route({
  ...common,
  path: '/api/v1/otlp/v1/traces',
  operation: 'postTraces',
  summary: 'Send OpenTelemetry spans',
  description: `Each span of a model call makes one record: GenAI conventions old and new, OpenInference, OpenLLMetry, LiteLLM, Vercel AI SDK, Langfuse, MLflow, and any other span with a model and token counts. Spans of agents, chains and tools make none, because they repeat the counts of the calls below them. The response names what has token counts and made no record. ${rules}`,
  body: bodyOf<DecodedCalls>(TraceExport),
  replies: { 200: { description: 'The calls are in a durable queue', body: TraceExportAccepted } },
});

export const postLogs = route({
  ...common,
  path: '/api/v1/otlp/v1/logs',
  operation: 'postLogs',
  summary: 'Send OpenTelemetry log records of model calls',
  description:
    'Each log event of a model call makes one record, under the rules of postTraces: those of Claude Code, Codex, Gemini CLI and Qwen Code, and gen_ai.client.inference.operation.details. Other log records make none.',
  body: bodyOf<DecodedCalls>(LogExport),
  replies: { 200: { description: 'The calls are in a durable queue', body: LogExportAccepted } },
});

export const postMetrics = route({
  ...common,
  path: '/api/v1/otlp/v1/metrics',
  operation: 'postMetrics',
  summary: 'Answer exporters that always send OpenTelemetry metrics',
  description:
    'Metrics repeat calls that spans and log events report, so they are never billed. All data points are rejected in `partialSuccess`, and nothing is stored. The response is 200, so that exporters do not repeat them.',
  needs: [],
  body: bodyOf<{ readonly dataPoints: number }>(MetricExport),
  replies: { 200: { description: 'The data points were rejected', body: MetricExportAccepted } },
});
