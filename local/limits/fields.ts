/** Readers for the input and output of AWS calls, which a schema would make slow: they run for every call. */
export type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The members of an object. Empty for anything else. */
export const fields = (value: unknown): Fields => (isFields(value) ? value : {});
/** The elements of an array. Empty for anything else. */
export const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
export const text = (value: unknown): string => (typeof value === 'string' ? value : '');
export const numeric = (value: unknown): number | undefined =>
  typeof value === 'number' ? value : undefined;
