import type { Point } from './densityRatioTree.ts';
import type { Observation } from './observation.ts';

const octaves = (tokens: number | undefined): number => Math.log2((tokens ?? 0) + 1);

/**
 * The position of a call among the calls of a label: its typicality (natural logarithm of the likelihood ratio of its
 * features) and the octaves of its input and output size.
 */
export const pointOf = (typicality: number, observation: Observation): Point => [
  typicality,
  octaves(observation.input_tokens),
  octaves(observation.output_tokens),
];
