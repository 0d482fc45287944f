import { sha256Of } from '../../platform/shared/hash.ts';
import type { Cell } from './cell.ts';

/**
 * Numbers the rows of a body that say the same, from 1. A row without an id is known by what it says of its call; equal rows are as
 * many calls, in each export that has them all.
 */
export type NumberRow = (content: readonly string[]) => number;

export const rowNumbers = (): NumberRow => {
  const counted = new Map<string, number>();
  return (content) => {
    const key = sha256Of('row', ...content).toString('base64');
    const number = (counted.get(key) ?? 0) + 1;
    counted.set(key, number);
    return number;
  };
};

const HOUR_MS = 3_600_000;

/** Sums of several calls have the start of their hour or day as time, and no id. A call rarely begins at a whole hour. */
export const isTimeOfSum = (time: string): boolean => Date.parse(time) % HOUR_MS === 0;

/** Members of an event that tell calls of one time apart, and that a later export of the call does not change. */
const TOLD_BY = [
  'provider',
  'requested_model',
  'served_model',
  'end_user',
  'attributed_identity',
  'api_key_name',
  'input_tokens',
  'cached_input_tokens',
  'cache_write_tokens',
  'output_tokens',
  'latency_ms',
] as const;

/** What a call belongs to. Ids of an export or a load are others in each. */
const PART_OF =
  /^(?:parent_)?(?:session|conversation|thread|trace|run|task|message|chat|interaction|correlation)_(?:id|uuid)$/;

export const contentOf = (
  event: Readonly<Record<string, unknown>>,
  time: string,
  columns: readonly Cell[],
): readonly string[] => [
  time,
  ...TOLD_BY.map((name) => String(event[name] ?? '')),
  ...columns
    .flatMap(([name, , value]) => (PART_OF.test(name) && (value ?? '') !== '' ? [`${name}=${value}`] : []))
    .toSorted(),
];
