/** A day of a business metric. */
interface MetricNumber {
  readonly date: string;
  readonly value: string;
}

const HEADER = /^"?date"?\s*[,;\t]/i;
const LINE = /^"?(\d{4}-\d\d-\d\d)"?\s*[,;\t]\s*"?(\d+(?:\.\d+)?)"?\s*$/;

/**
 * The daily numbers of CSV with the columns date and value, with or without a header. Zeros at the front of a number are
 * dropped. `fault` says which line has no date and number.
 */
export const numbersOfCsv = (
  text: string,
): { readonly numbers: readonly MetricNumber[]; readonly fault: string | null } => {
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/);
  const numbers: MetricNumber[] = [];
  for (const [index, line] of lines.entries()) {
    if (line.trim() === '' || (index === 0 && HEADER.test(line))) continue;
    const [, date, value] = LINE.exec(line) ?? [];
    if (date === undefined || value === undefined)
      return { numbers: [], fault: `line ${index + 1} is not DATE,NUMBER, such as 2026-11-01,412` };
    numbers.push({ date, value: value.replace(/^0+(?=\d)/, '') });
  }
  return { numbers, fault: null };
};
