import { deflateSync, inflateSync } from 'node:zlib';
import * as z from 'zod';
import { Calibration } from './calibration/isotonic.ts';
import { type CountsByKey, supportedKeys } from './heuristic.ts';

/** The heuristic as it is stored. */
export const HeuristicTable = z.object({
  version: z.literal(1),
  labels: z.array(z.string()),
  /** Keys with the numbers of their labels and smoothed shares, the most supported key first. */
  keys: z.array(z.tuple([z.string(), z.array(z.tuple([z.int().min(0), z.number().min(0).max(1)]))])),
  calibration: Calibration,
});
export type HeuristicTable = z.infer<typeof HeuristicTable>;

/** It is loaded wherever the model is not in memory, so it must load fast. */
const BYTES_MAXIMUM = 100_000;
const SHARE_DIGITS = 10_000;

const toHeuristicTable = (
  supported: ReturnType<typeof supportedKeys>,
  calibration: Calibration,
): HeuristicTable => {
  const numbers = new Map<string, number>();
  const numberOf = (label: string): number => {
    const number = numbers.get(label) ?? numbers.size;
    numbers.set(label, number);
    return number;
  };
  const keys = supported.map(([key, { labels }]): HeuristicTable['keys'][number] => [
    key,
    labels.map(({ label, share }) => [numberOf(label), Math.round(share * SHARE_DIGITS) / SHARE_DIGITS]),
  ]);
  return { version: 1, labels: [...numbers.keys()], keys, calibration };
};

/** The most supported keys that fit. */
export const buildHeuristicTable = (counts: CountsByKey, calibration: Calibration): HeuristicTable => {
  let supported = supportedKeys(counts);
  let table = toHeuristicTable(supported, calibration);
  while (encodeHeuristic(table).length > BYTES_MAXIMUM) {
    supported = supported.slice(0, Math.floor(supported.length * 0.8));
    table = toHeuristicTable(supported, calibration);
  }
  return table;
};

/** JSON, deflated. */
export const encodeHeuristic = (table: HeuristicTable): Buffer => deflateSync(JSON.stringify(table));

/** Throws where the bytes are no table of this version. */
export const decodeHeuristic = (bytes: Uint8Array): HeuristicTable =>
  HeuristicTable.parse(JSON.parse(inflateSync(bytes).toString()));
