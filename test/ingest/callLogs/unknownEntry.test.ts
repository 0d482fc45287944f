import { expect, it } from 'vitest';
import { decodeCallLogs } from '../../../functions/ingest/callLogs/decodeCallLogs.ts';

const NOW = Date.parse('2026-11-01T12:00:10.000Z');
const bytes = (value: unknown): Buffer => Buffer.from(JSON.stringify(value));

it.each([
  [
    'a state of OpenHands',
    { stats: { usage_to_metrics: { agent: { accumulated_token_usage: { prompt_tokens: 2_000 } } } } },
  ],
  ['a task of Roo Code', { id: 'a', tokensIn: 18, tokensOut: 386, totalCost: 0.01 }],
  ['a message of Cline', { say: 'api_req_started', text: '{"request":"x","tokensIn":18,"tokensOut":386}' }],
  ['an unknown format', { what: [{ usage: { totalTokenCount: 5 } }] }],
])('%s with token counts is skipped with a reason', (_, entry) => {
  expect(decodeCallLogs(bytes(entry), 'application/json', NOW)).toMatchObject({
    ...{ events: [], skipped: 1 },
    warnings: [expect.stringContaining('its format is not known')],
  });
});

it('an entry without token counts is skipped without a word', () => {
  expect(decodeCallLogs(bytes({ level: 'info', tokens: 0 }), 'application/json', NOW).warnings).toEqual([]);
});
