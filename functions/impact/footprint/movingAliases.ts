interface Target {
  /** First day (UTC) on which the alias named the model. */
  readonly from: string;
  readonly model: string;
}

/**
 * Aliases that name another model over time: https://docs.mistral.ai/getting-started/changelog. The first entry also
 * applies before its day.
 */
export const MOVING_ALIASES: ReadonlyMap<string, readonly Target[]> = new Map([
  [
    'mistral-large-latest',
    [
      { from: '2024-07-24', model: 'mistral-large-2407' },
      { from: '2024-11-18', model: 'mistral-large-2411' },
      { from: '2025-12-02', model: 'mistral-large-2512' },
    ],
  ],
  [
    'mistral-small-latest',
    [
      { from: '2025-01-30', model: 'mistral-small-2501' },
      { from: '2025-03-17', model: 'mistral-small-2503' },
      { from: '2025-06-20', model: 'mistral-small-2506' },
      { from: '2026-03-16', model: 'mistral-small-2603' },
    ],
  ],
]);

/** The model that an alias named at the time of a call. Other ids are returned unchanged. */
export const modelAt = (model: string, at: Date): string => {
  const targets = MOVING_ALIASES.get(model);
  return (targets?.findLast(({ from }) => at.getTime() >= Date.parse(from)) ?? targets?.[0])?.model ?? model;
};
