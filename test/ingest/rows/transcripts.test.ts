import { expect, it } from 'vitest';
import { decodeCallLogs } from '../../../functions/ingest/callLogs/decodeCallLogs.ts';

const NOW = Date.parse('2026-11-01T12:00:10.000Z');
const read = (lines: readonly unknown[]) =>
  decodeCallLogs(Buffer.from(lines.map((line) => JSON.stringify(line)).join('\n')), 'application/json', NOW);

/** A line of a session of Claude Code, which has one for each block of an answer, each with the usage of the whole. */
const line = (uuid: string, block: string) => ({
  ...{ type: 'assistant', uuid, sessionId: 'a', timestamp: '2026-11-01T12:00:00.000Z' },
  requestId: 'req_011CSHoEeqs5C35K2UUqR7Fy',
  message: {
    ...{ id: 'msg_01XFDUDYJgAACzvnptvVoYEL', type: 'message', role: 'assistant' },
    model: 'claude-sonnet-4-5-20250929',
    content: [{ type: block }],
    usage: { input_tokens: 1_000, cache_read_input_tokens: 3_000, output_tokens: 200 },
  },
});

it('lines of one answer are one call, which its request names too', () => {
  const { events } = read([
    line('550e8400-e29b-41d4-a716-446655440000', 'thinking'),
    line('550e8400-e29b-41d4-a716-446655440001', 'tool_use'),
  ]);

  expect(new Set(events.map((event) => event['event_id']))).toHaveProperty('size', 1);
  expect(events[0]).toMatchObject({
    ...{ provider: 'anthropic', id_basis: 'response.msg', call_ids: ['req_011CSHoEeqs5C35K2UUqR7Fy'] },
    ...{ input_tokens: 4_000, cached_input_tokens: 3_000 },
  });
});

it('a time among the counts of a usage is no count', () => {
  const usage = {
    prompt_tokens: 1_000,
    completion_tokens: 200,
    time_per_token: 3.4,
    time_to_first_token: 200,
  };
  const { events } = read([
    {
      id: '550e8400-e29b-41d4-a716-446655440000',
      timestamp: '2026-11-01T12:00:00.000Z',
      model: 'gpt-4o',
      usage,
    },
  ]);

  expect(events[0]).not.toHaveProperty('unread_usage');
});
