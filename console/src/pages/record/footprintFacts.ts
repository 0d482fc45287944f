import type { Explanation } from '../../../../sdk/typescript/src/types.ts';
import { formatAmount, formatRange } from '../../format/amount.ts';

export type Fact = readonly [name: string, value: string];

const classes: Readonly<Record<NonNullable<Explanation['energy']>['class'], string>> = {
  A: 'A: metered by the producer, or divided from own nodes',
  B: 'B: open weights',
  C: 'C: published range of a closed model',
  D: 'D: size class only',
};

export const energyFacts = ({ energy, water }: Pick<Explanation, 'energy' | 'water'>): readonly Fact[] =>
  energy === null
    ? []
    : [
        ['Class', classes[energy.class]],
        ...(energy.components === null
          ? []
          : [
              ['Output', formatAmount(energy.components.output_wh, 'energy')] as const,
              ['Input', formatAmount(energy.components.input_wh, 'energy')] as const,
            ]),
        ...(water === undefined
          ? []
          : [
              [
                'Water',
                `${formatAmount(water.central, 'water')} (${formatRange(water.low, water.high, 'water')})`,
              ] as const,
            ]),
        ['Method', `${energy.method} ${energy.version}`],
        ['Spread', `× or ÷ ${energy.gsd} (geometric standard deviation)`],
      ];

export const carbonFacts = (carbon: Explanation['carbon']): readonly Fact[] =>
  carbon === null
    ? []
    : [
        [
          'Grid',
          carbon.zone === null
            ? 'unknown'
            : `${carbon.zone}${carbon.zone_basis === null ? '' : `, by ${carbon.zone_basis.replaceAll('_', ' ')}`}`,
        ],
        [
          'Intensity',
          carbon.intensity_gco2e_per_kwh === null
            ? 'unknown'
            : `${carbon.intensity_gco2e_per_kwh} g/kWh${carbon.year === null ? '' : `, ${carbon.year}`}`,
        ],
        ...(carbon.components === null
          ? []
          : [
              ['Usage', formatAmount(carbon.components.usage_gco2e, 'carbon')] as const,
              ['Hardware', formatAmount(carbon.components.embodied_gco2e, 'carbon')] as const,
            ]),
        ...(carbon.market_based === undefined
          ? []
          : [
              [
                'Usage, market-based',
                `${formatAmount(carbon.market_based.usage_gco2e, 'carbon')} (${carbon.market_based.intensity_gco2e_per_kwh} g/kWh, ${carbon.market_based.year})`,
              ] as const,
            ]),
        ['Method', `${carbon.method} ${carbon.version}`],
        ['Spread', `× or ÷ ${carbon.gsd} (geometric standard deviation)`],
      ];
