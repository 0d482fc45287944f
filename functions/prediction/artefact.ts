import { deflateSync, inflateSync } from 'node:zlib';
import * as z from 'zod';
import { Calibration } from './calibration/isotonic.ts';
import { RegionTree } from './densityRatioTree.ts';
import { type Counts, emptyCounts, type LabelCounts } from './naiveBayesCounts.ts';

const StoredCells = z.tuple([z.array(z.int().min(0)), z.array(z.number().min(0))]);

const StoredCounts = z.object({
  labels: z.array(z.string()),
  all: StoredCells,
  /** By ascending bucket number. */
  buckets: z.array(z.tuple([z.int().min(0), StoredCells])),
});

/** A trained model as it is stored. */
export const Artefact = z.object({
  version: z.literal(1),
  counts: StoredCounts,
  temperature: z.number().positive(),
  /** Share of each label in traffic without labels, by label number. */
  shares: z.array(z.number().min(0).max(1)),
  calibration: Calibration,
  /** Share of unlabelled calls predicted as a label that it accounts for, by region, by label number. */
  accounted: z.array(RegionTree),
  /** Hashes of the values that labelled calls named somebody with, by field, ascending. */
  identities: z.record(z.string(), z.array(z.int())),
});
export type Artefact = z.infer<typeof Artefact>;

/** Numbers in an order of their own, so that equal counts are equal bytes. */
export const serializeCounts = (counts: Counts): Artefact['counts'] => {
  const stored = ({ labels, weights }: LabelCounts): [number[], number[]] => [[...labels], [...weights]];
  return {
    labels: [...counts.labels],
    all: stored(counts.all),
    buckets: [...counts.buckets]
      .sort(([a], [b]) => a - b)
      .map(([bucket, cells]): [number, [number[], number[]]] => [bucket, stored(cells)]),
  };
};

/** The counts that were stored. */
export const deserializeCounts = ({ labels, all, buckets }: Artefact['counts']): Counts => {
  const cells = ([numbers, weights]: [number[], number[]]): LabelCounts => ({
    total: weights.reduce((sum, weight) => sum + weight, 0),
    labels: numbers,
    weights,
  });
  return {
    ...emptyCounts(),
    labels,
    labelNumbers: new Map(labels.map((label, number) => [label, number])),
    all: cells(all),
    buckets: new Map(buckets.map(([bucket, stored]) => [bucket, cells(stored)])),
  };
};

/** JSON, deflated. */
export const encodeArtefact = (artefact: Artefact): Buffer => deflateSync(JSON.stringify(artefact));

/** Throws where the bytes are no artefact of this version. */
export const decodeArtefact = (bytes: Uint8Array): Artefact =>
  Artefact.parse(JSON.parse(inflateSync(bytes).toString()));
