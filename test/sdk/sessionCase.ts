import { codexCount, codexMeta, codexTurn, codexUsage, type writeSessions } from './agentSessions.ts';

export type Files = Parameters<typeof writeSessions>[1];

export type Case = readonly [title: string, files: Files, expected: readonly object[]];
export const usage = (output: number, more: object = {}) => ({
  input_tokens: 10,
  output_tokens: output,
  ...more,
});

export const T = (second: number): string => `2026-11-01T10:00:${String(second).padStart(2, '0')}.000Z`;
export const [FIRST, SECOND, THIRD] = [
  [codexUsage(1_000, 600, 100, 40), codexUsage(1_000, 600, 100, 40)],
  [codexUsage(2_500, 1_600, 150, 50), codexUsage(1_500, 1_000, 50, 10)],
  [codexUsage(4_500, 3_000, 350, 150), codexUsage(2_000, 1_400, 200, 100)],
] as const;
export const PARENT = '019a0000-0000-7000-8000-000000000001';
export const parentLines = [
  codexMeta(PARENT, T(0)),
  codexTurn(T(1), 'gpt-5.2-codex'),
  codexCount(T(5), ...FIRST),
  codexCount(T(9), ...SECOND),
];
