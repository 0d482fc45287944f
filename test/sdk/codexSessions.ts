import { eventIdOfCall } from '../../functions/ingest/formats/observedCall.ts';
import { codexCount, codexMeta, codexRecord, codexTurn, codexUsage } from './agentSessions.ts';
import { type Case, FIRST, PARENT, parentLines, SECOND, T, THIRD } from './sessionCase.ts';

const forkOf = (more: object, at: number, ...own: readonly object[]) => [
  codexMeta('019a0000-0000-7000-8000-000000000002', T(at), more),
  codexMeta(PARENT, T(at)),
  codexTurn(T(at), 'gpt-5.2-codex'),
  codexCount(T(at), ...FIRST),
  codexCount(T(at), ...SECOND),
  ...own,
];
const CODEX = [
  { input_tokens: 1_000, cached_input_tokens: 600, output_tokens: 100, reasoning_tokens: 40 },
  { input_tokens: 1_500, cached_input_tokens: 1_000, output_tokens: 50, reasoning_tokens: 10 },
  { input_tokens: 2_000, cached_input_tokens: 1_400, output_tokens: 200, reasoning_tokens: 100 },
] as const;

export const codexCases: readonly Case[] = [
  [
    'the answers of a thread, not its sums, and each once, however often the event is repeated',
    {
      'rollout-a.jsonl': [
        ...parentLines,
        codexCount(T(10), ...SECOND),
        codexCount(T(11), ...SECOND),
        codexCount(T(12), ...THIRD),
      ],
    },
    [
      { ...CODEX[0], provider: 'openai', requested_model: 'gpt-5.2-codex', id_basis: 'observation' },
      ...CODEX.slice(1),
    ],
  ],
  [
    'two answers with equal counts',
    {
      'rollout-a.jsonl': [
        codexMeta(PARENT, T(0)),
        codexCount(T(2), codexUsage(10, 0, 5), codexUsage(10, 0, 5)),
        codexCount(T(4), codexUsage(20, 0, 10), codexUsage(10, 0, 5)),
      ],
    },
    [
      { requested_model: 'unknown', input_tokens: 10 },
      { requested_model: 'unknown', input_tokens: 10 },
    ],
  ],
  [
    'sums only, as the difference of two',
    {
      'rollout-a.jsonl': [
        codexMeta(PARENT, T(0)),
        codexCount(T(2), FIRST[0], {}),
        codexCount(T(3), FIRST[0], {}),
        codexCount(T(4), SECOND[0], {}),
      ],
    },
    CODEX.slice(0, 2),
  ],
  [
    'the usage that a fork copied from its thread once',
    {
      'a/rollout-a.jsonl': parentLines,
      'b/rollout-b.jsonl': forkOf({ forked_from_id: PARENT }, 30, codexCount(T(40), ...THIRD)),
    },
    CODEX,
  ],
  [
    'the usage that a sub-agent copied from a thread whose file is gone not at all',
    {
      'b/rollout-b.jsonl': forkOf(
        { source: { subagent: { thread_spawn: { parent_thread_id: PARENT, depth: 1 } } } },
        30,
        codexCount(T(40), ...THIRD),
      ),
    },
    CODEX.slice(2),
  ],
  [
    'two threads that began alike',
    {
      'a/rollout-a.jsonl': parentLines,
      'b/rollout-b.jsonl': [
        codexMeta('019a0000-0000-7000-8000-000000000009', T(20)),
        codexTurn(T(21), 'gpt-5.2-codex'),
        codexCount(T(25), ...FIRST),
      ],
    },
    [...CODEX.slice(0, 2), CODEX[0]],
  ],
  [
    'a session and its archived copy once',
    { 'sessions/rollout-a.jsonl': parentLines, 'archived_sessions/rollout-a.jsonl': parentLines },
    CODEX.slice(0, 2),
  ],
  [
    'the records of answers by their ids, and not the sums beside them',
    {
      'rollout-a.jsonl': [
        codexMeta(PARENT, T(0)),
        codexTurn(T(1), 'gpt-6-sol'),
        codexRecord(
          T(5),
          'resp_0aaaaaaaaaaaaaaaaaaa',
          { ...FIRST[1], cache_write_input_tokens: 300 },
          FIRST[0],
        ),
        codexCount(T(5), ...FIRST),
      ],
    },
    [
      {
        ...CODEX[0],
        cache_write_tokens: 300,
        event_id: eventIdOfCall('resp_0aaaaaaaaaaaaaaaaaaa'),
        id_basis: 'response.resp',
      },
    ],
  ],
  [
    'what a plan of ChatGPT pays as a subscription, and another provider',
    {
      'rollout-a.jsonl': [
        codexMeta(PARENT, T(0), { model_provider: 'azure' }),
        codexCount(T(2), ...FIRST, 'pro'),
      ],
    },
    [{ billing_mode: 'subscription', provider: 'azure' }],
  ],
  [
    'no events without usage, with odd members, or cut off',
    {
      'rollout-a.jsonl': `${[
        codexMeta(PARENT, T(0)),
        { timestamp: T(1), type: 'event_msg', payload: { type: 'token_count', info: null } },
        { timestamp: T(1), type: 'event_msg', payload: ['token_count'] },
        { timestamp: 7, type: 'event_msg', payload: { type: 'token_count', info: { last_token_usage: [] } } },
        codexCount(T(3), codexUsage(-5, 0, 0), { input_tokens: '12' }),
      ]
        .map((line) => JSON.stringify(line))
        .join('\n')}\n{"type":"event_msg","payload":{"type":"token_count"`,
    },
    [],
  ],
];
