import { NATIVE_FORMS, type NativeForm } from './nativeForms.ts';

export const lettersOf = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The cells by the letters of their names. BigQuery writes records as objects: `{"sku": {"id": …}}`. */
const byLetters = (cells: Readonly<Record<string, unknown>>): ReadonlyMap<string, unknown> =>
  new Map(
    Object.entries(cells).flatMap(([name, value]) =>
      isObject(value)
        ? Object.entries(value).map(([member, part]): [string, unknown] => [lettersOf(name + member), part])
        : [[lettersOf(name), value]],
    ),
  );

/** Azure writes dates in the order of the United States. */
const AMERICAN_DATE = /^(\d{2})\/(\d{2})\/(\d{4})$/;

const read = (value: unknown, words: Readonly<Record<string, string | null>> | undefined): unknown => {
  if (typeof value !== 'string') return value ?? null;
  const text = value.trim().replace(AMERICAN_DATE, '$3-$1-$2');
  const word = words?.[text.toLowerCase()] ?? (words && '*' in words && text !== '' ? words['*'] : text);
  return word || null;
};

const hasForm = (found: ReadonlyMap<string, unknown>, { marks }: NativeForm): boolean =>
  marks.every((mark) => found.has(lettersOf(mark)));

/** The cells of a row of an export that is no FOCUS file, under the columns of FOCUS. Null for any other row. */
export const nativeCells = (cells: Readonly<Record<string, unknown>>): Record<string, unknown> | null => {
  const found = byLetters(cells);
  const form = found.has('billedcost') ? undefined : NATIVE_FORMS.find((one) => hasForm(found, one));
  if (form === undefined) return null;
  const { provider, currency, columns, words } = form;
  const named: Record<string, unknown> = { ServiceProviderName: provider, BillingCurrency: currency ?? null };
  for (const [name, column] of Object.entries(columns)) {
    named[column] ??= read(found.get(lettersOf(name)), words?.[column]);
  }
  return named;
};
