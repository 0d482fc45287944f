import { magnitude, sum } from '../../../../sdk/shared/decimal.ts';

export interface WaterfallBar {
  readonly kind: string;
  /** Shares of the whole width. */
  readonly start: number;
  readonly width: number;
}

/** Bars that begin where the one before ends. The last end is the sum. */
export const waterfallOf = (
  parts: readonly { readonly kind: string; readonly cost_usd: string }[],
): WaterfallBar[] => {
  const whole = magnitude(sum(parts.map(({ cost_usd: cost }) => cost)));
  let start = 0;
  return parts.map(({ kind, cost_usd: cost }) => {
    const width = whole > 0 ? magnitude(cost) / whole : 0;
    const bar = { kind, start, width };
    start += width;
    return bar;
  });
};
