import type { Pattern } from '../template/streams.ts';

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

const member = (value: unknown, name: string): unknown => (isObject(value) ? value[name] : undefined);

/** Whether a stream record matches a filter pattern. Supports the Lambda filter rules that the templates use. */
export const matchesPattern = (value: unknown, pattern: Pattern): boolean =>
  Object.entries(pattern).every(([name, expected]) => {
    const actual = member(value, name);
    if (!Array.isArray(expected)) return matchesPattern(actual, expected);
    return expected.some((accepted) =>
      typeof accepted === 'string' ? actual === accepted : (actual !== undefined) === accepted.exists,
    );
  });
