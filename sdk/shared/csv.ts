import { neutralizeFormula } from '../../functions/platform/shared/formulaGuard.ts';

/** Null: the value is unknown. */
export type Value = string | number | null | undefined;

const NUMBER = /^-?\d+(\.\d+)?$/;

/** A spreadsheet would run some texts as formulas. A negative number is none. */
const csvCell = (value: Value): string => {
  const text = value === null || value === undefined ? '' : String(value);
  const guarded = NUMBER.test(text) ? text : neutralizeFormula(text);
  return /[",;|\t\r\n]/.test(guarded) ? `"${guarded.replaceAll('"', '""')}"` : guarded;
};

/** A line of a CSV file (RFC 4180), without its end. Null is empty. */
export const csvLine = (cells: readonly Value[]): string => cells.map(csvCell).join(',');
