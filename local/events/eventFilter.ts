import type { Pattern } from '../template/streams.ts';

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

const member = (value: unknown, name: string): unknown => (isObject(value) ? value[name] : undefined);

/** Whether a change passes a filter: by Lambda's rules, as far as a template uses them. */
export const matchesPattern = (value: unknown, pattern: Pattern): boolean =>
  Object.entries(pattern).every(([name, expected]) => {
    const found = member(value, name);
    if (!Array.isArray(expected)) return matchesPattern(found, expected);
    return expected.some((one) =>
      typeof one === 'string' ? found === one : (found !== undefined) === one.exists,
    );
  });
