import * as z from 'zod';
import type { FunctionDeclaration } from '../template/functions.ts';
import type { QueueMappingDeclaration } from '../template/queueMappingsAndSchedules.ts';

const Setting = z.coerce.number('LOCAL_CONCURRENCY must be a whole number').int().min(1).optional();
const DEFAULT_CONCURRENCY = 4;
/** Of the environments that a queue may fill when deployed, a machine affords so many. */
const DEPLOYED_SHARE = 1 / 10;

/** How many environments functions may have at once. */
export interface Concurrency {
  /** Of any function. */
  readonly usual: number;
  /** Of this one, where some of them hang: more, if its queue may fill many when deployed and nobody set a limit here. */
  readonly limitOf: (declaration: Pick<FunctionDeclaration, 'name' | 'arn'>) => number;
}

/** Throws a ZodError where `LOCAL_CONCURRENCY` is no whole number from 1. */
export const concurrency = (
  setting: string | undefined,
  mappings: readonly QueueMappingDeclaration[],
): Concurrency => {
  const set = Setting.parse(setting);
  const usual = set ?? DEFAULT_CONCURRENCY;
  return {
    usual,
    limitOf: ({ name, arn }) => {
      if (set !== undefined) return set;
      const shares = mappings
        .filter(({ functionName }) => functionName === name || functionName === arn)
        .map(({ maximumConcurrency = 0 }) => Math.ceil(maximumConcurrency * DEPLOYED_SHARE));
      return Math.max(usual, ...shares);
    },
  };
};
