import type { Model } from '../../../../schemas/attribution/models.ts';

/** The ULID of the n-th model of these tests, in order of training. */
export const ulidAt = (index: number): string => `01K${String(index).padStart(23, '0')}`;
export const versionAt = (index: number): string => `mdl_abcdefgh${ulidAt(index)}`;

/** A model as the training job creates it, before it is registered. */
export const aModel = (version: string, passed = true, members: Partial<Model> = {}): Model => ({
  version,
  state: 'rejected',
  trained_at: '2026-05-01T12:00:00.000Z',
  window: { from: '2026-04-03T12:00:00.000Z', to: '2026-05-01T12:00:00.000Z' },
  examples: 1_600,
  labelled: 800,
  labels: 4,
  gate: { passed, tested: 600, criteria: [], reliability: [] },
  activated_at: null,
  recalled_at: null,
  recalled_by: null,
  recall_reason: null,
  ...members,
});
