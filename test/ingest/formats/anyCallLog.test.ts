import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeCallLogs } from '../../../functions/ingest/callLogs/decodeCallLogs.ts';
import { checkEvent } from '../../../functions/ingest/events/checkEvent.ts';
import { logBudget, readCallLog } from '../../../functions/ingest/formats/callLog.ts';
import { ProblemError } from '../../../functions/platform/shared/problem.ts';
import {
  apiManagementRow,
  bedrockRecord,
  inferenceCloudEvent,
  litellmPayload,
  subscriptionMessage,
  vertexRow,
} from './logs.ts';

const NOW = Date.parse('2026-11-01T12:00:10.000Z');
const PROMPT = 'launch codes of the prompt';

describe.each([
  ['LiteLLM', litellmPayload({}, PROMPT)],
  ['Bedrock', bedrockRecord({}, PROMPT)],
  ['CloudWatch', subscriptionMessage([bedrockRecord({}, PROMPT)])],
  ['CloudEvents', inferenceCloudEvent({}, PROMPT)],
  ['Vertex AI', vertexRow({}, PROMPT)],
  ['Azure API Management', { records: [apiManagementRow({}, PROMPT)] }],
])('5,000 corrupted bodies of %s', (_, log) => {
  const body = Buffer.from(JSON.stringify([log]));
  const corrupted = fc
    .record({
      changes: fc.array(fc.tuple(fc.nat(body.length - 1), fc.nat(255)), { maxLength: 3 }),
      length: fc.oneof(fc.constant(body.length), fc.nat(body.length)),
    })
    .map(({ changes, length }) => {
      const copy = Buffer.from(body);
      for (const [at, byte] of changes) copy[at] = byte;
      return copy.subarray(0, length);
    });

  it('give events without content, or a clear problem', () => {
    fc.assert(
      fc.property(corrupted, (bytes) => {
        try {
          const { events } = decodeCallLogs(bytes, 'application/json', NOW);
          if (JSON.stringify(events).includes('launch')) throw new Error('content in an event');
          for (const event of events) checkEvent(event, NOW);
        } catch (error) {
          if (!(error instanceof ProblemError) || error.code !== 'INVALID_REQUEST') throw error;
        }
      }),
      { numRuns: 5_000 },
    );
  });
});

it('reads any JSON value as a log or not at all', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(
        readCallLog(value, new Date(NOW).toISOString(), new Set(), logBudget(1_000))?.events ?? [],
      ).toEqual([]);
    }),
    { numRuns: 500 },
  );
});
