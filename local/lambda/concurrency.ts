import { availableParallelism } from 'node:os';
import * as z from 'zod';
import type { FunctionDeclaration } from '../template/functions.ts';
import type { QueueMappingDeclaration } from '../template/queueMappings.ts';

const Setting = z.coerce
  .number('LOCAL_CONCURRENCY must be a whole number of at least 1')
  .int()
  .min(1)
  .optional();
/** More environments than cores do not work faster, but need more memory and let each other time out. */
const DEFAULT_CONCURRENCY = Math.min(4, Math.max(2, availableParallelism()));
/** Part of the deployed concurrency of a queue that runs on one machine. */
const DEPLOYED_SHARE = 1 / 10;

/** Concurrency limits of functions, in execution environments. */
export interface Concurrency {
  /** The default limit of a function. */
  readonly usual: number;
  /**
   * The limit of one function when invocations hang. It is higher than the default if its queue allows a high concurrency
   * when deployed, unless `LOCAL_CONCURRENCY` is configured.
   */
  readonly limitOf: (declaration: Pick<FunctionDeclaration, 'name' | 'arn'>) => number;
}

/** Throws a ZodError if `LOCAL_CONCURRENCY` is not a whole number of at least 1. */
export const concurrency = (
  setting: string | undefined,
  mappings: readonly QueueMappingDeclaration[],
): Concurrency => {
  const configured = Setting.parse(setting);
  const usual = configured ?? DEFAULT_CONCURRENCY;
  return {
    usual,
    limitOf: ({ name, arn }) => {
      if (configured !== undefined) return configured;
      const shares = mappings
        .filter(({ functionName }) => functionName === name || functionName === arn)
        .map(({ maximumConcurrency = 0 }) => Math.ceil(maximumConcurrency * DEPLOYED_SHARE));
      return Math.max(usual, ...shares);
    },
  };
};
