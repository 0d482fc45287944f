import type { Observation } from './observation.ts';

/** Where a prediction lies among those of the same label: how typical the call is of it, and its sizes in octaves. */
export type Shape = readonly [typicality: number, input: number, output: number];

const octaves = (tokens: number | undefined): number => Math.log2((tokens ?? 0) + 1);

/** `logarithm`: how much likelier the call's features are for the predicted label than for anybody. */
export const shapeOf = (logarithm: number, seen: Observation): Shape => [
  logarithm,
  octaves(seen.input_tokens),
  octaves(seen.output_tokens),
];
