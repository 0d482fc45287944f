import { eventIdOfCall } from '../../functions/ingest/formats/observedCall.ts';
import { litellmPayload } from '../../test/ingest/formats/logs.ts';
import { tracesInJson } from '../../test/ingest/otlp/messages.ts';

/** A call in the members of the native event. */
export type SentCall = Readonly<Record<string, unknown>>;

const textAt = (call: SentCall, member: string): string => String(call[member]);
const responseIdOf = (call: SentCall): string => `chatcmpl-${textAt(call, 'event_id').replaceAll('-', '')}`;
const timeOf = (call: SentCall): number => Date.parse(textAt(call, 'ingestion_timestamp'));

/** The id of the event that the service makes of such a call: it follows from the id of the response. */
export const foreignEventIdOf = (call: SentCall): string => eventIdOfCall(responseIdOf(call));

/** An export of OpenTelemetry, with a span for each call. */
export const otlpTraces = (calls: readonly SentCall[]): object =>
  tracesInJson([
    {
      resource: { 'service.name': 'soak' },
      items: calls.map((call) => {
        const time = `${BigInt(timeOf(call)) * 1_000_000n}`;
        return {
          traceId: textAt(call, 'trace_id'),
          spanId: textAt(call, 'span_id'),
          ...(call['parent_span_id'] !== undefined && { parentSpanId: textAt(call, 'parent_span_id') }),
          start: time,
          end: time,
          attributes: {
            'gen_ai.operation.name': call['operation'] === undefined ? 'chat' : textAt(call, 'operation'),
            'gen_ai.provider.name': textAt(call, 'provider'),
            'gen_ai.request.model': textAt(call, 'requested_model'),
            'gen_ai.response.id': responseIdOf(call),
            'gen_ai.usage.input_tokens': Number(call['input_tokens']),
            'gen_ai.usage.output_tokens': Number(call['output_tokens']),
          },
        };
      }),
    },
  ]);

/** What the callback `generic_api` of LiteLLM sends, without a cost of its own. */
export const litellmLogs = (calls: readonly SentCall[]): object[] =>
  calls.map((call) => {
    const time = timeOf(call) / 1_000;
    return litellmPayload({
      id: responseIdOf(call),
      trace_id: textAt(call, 'event_id'),
      model: textAt(call, 'requested_model'),
      response_cost: null,
      cost_breakdown: null,
      prompt_tokens: Number(call['input_tokens']),
      completion_tokens: Number(call['output_tokens']),
      total_tokens: Number(call['input_tokens']) + Number(call['output_tokens']),
      startTime: time,
      endTime: time,
      metadata: { user_api_key_team_alias: 'soak' },
    });
  });
