import * as z from 'zod';
import type { MappingDeclaration } from '../template/events.ts';
import type { FunctionDeclaration } from '../template/functions.ts';

const Setting = z.coerce.number('LOCAL_CONCURRENCY must be a whole number').int().min(1).optional();
const USUAL = 4;
/** Of the environments that a queue may fill when deployed, a machine affords so many. */
const SHARE = 1 / 10;

/** How many environments functions may have at once. */
export interface Concurrency {
  /** Of any function. */
  readonly usual: number;
  /** Of this one, where some of them hang: more, if its queue may fill many when deployed and nobody set a limit here. */
  readonly mostOf: (declaration: Pick<FunctionDeclaration, 'name' | 'arn'>) => number;
}

/** Throws a ZodError where `LOCAL_CONCURRENCY` is no whole number from 1. */
export const concurrency = (
  setting: string | undefined,
  mappings: readonly MappingDeclaration[],
): Concurrency => {
  const set = Setting.parse(setting);
  const usual = set ?? USUAL;
  return {
    usual,
    mostOf: ({ name, arn }) => {
      if (set !== undefined) return set;
      const shares = mappings
        .filter(({ functionName }) => functionName === name || functionName === arn)
        .map(({ maximumConcurrency = 0 }) => Math.ceil(maximumConcurrency * SHARE));
      return Math.max(usual, ...shares);
    },
  };
};
