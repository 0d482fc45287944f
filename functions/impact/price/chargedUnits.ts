import type { UnitKind } from '../../../schemas/attribution/unitPrices.ts';
import type { UnitCount } from '../usage/usage.ts';
import type { PriceSheet } from './priceSheet.ts';

/** How the usage of a call was counted. */
export interface Counted {
  readonly units: readonly UnitCount[];
  /** The call reports units, and no tokens. */
  readonly isByUnit: boolean;
  /** The tokens of its generated images have a price. */
  readonly hasImageTokens: boolean;
}

export interface ChargedUnits {
  readonly units: readonly UnitCount[];
  /** Whether a unit has a price. */
  readonly isPriced: boolean;
  /** Whether a unit is the price of the whole call, with the tokens that it does not report. */
  readonly isWhole: boolean;
}

/** The kinds that measure what tokens, or a better measure, already do. */
const measuredTwice = (sheet: PriceSheet, { units, isByUnit, hasImageTokens }: Counted): UnitKind[] => {
  const inSeconds = units.some(({ kind }) => kind === 'audio_second' && sheet[kind] !== null);
  return [
    ...(hasImageTokens ? ['image' as const] : []),
    ...(sheet.unitsForTokens === true && !isByUnit ? ['audio_second' as const, 'character' as const] : []),
    ...(sheet.unitsForTokens === true && inSeconds ? ['character' as const] : []),
  ];
};

/** The units of a call that are charged, so that nothing is charged in two measures. */
export const chargedUnits = (sheet: PriceSheet, counted: Counted): ChargedUnits => {
  const twice = measuredTwice(sheet, counted);
  const units = counted.units.filter(({ kind }) => !twice.includes(kind));
  const priced = units.filter(({ kind }) => sheet[kind] !== null);
  return {
    units,
    isPriced: priced.length > 0,
    isWhole: priced.some(({ kind }) => kind === 'image' || sheet.unitsForTokens === true),
  };
};
