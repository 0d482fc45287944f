import { formatAmount, type Measure, type Unit } from '../../format/amount.ts';
import { MARGIN } from './columns.ts';

interface AxisProps {
  readonly ticks: readonly { readonly value: number; readonly y: number }[];
  readonly width: number;
  readonly measure: Measure;
  readonly unit: Unit;
}

/** Grid lines with their amounts. The unit is named once, at the top. */
export const Axis = ({ ticks, width, measure, unit }: AxisProps) => {
  const step = (ticks[1]?.value ?? 1) * 10 ** unit.exponent;
  const least = step >= 1 ? 0 : Math.min(6, Math.ceil(-Math.log10(step) - 1e-9));
  // Cents have two digits.
  const digits = measure === 'cost' && least === 1 ? 2 : least;
  return (
    <g className="axis">
      {ticks.map(({ value, y }, index) => (
        <g key={value}>
          <line className={value === 0 ? 'baseline' : 'gridline'} x1={MARGIN.left} x2={width} y1={y} y2={y} />
          <text x={MARGIN.left - 8} y={y} dy="0.32em" textAnchor="end">
            {value === 0
              ? '0'
              : formatAmount(
                  value.toFixed(12),
                  measure,
                  index === ticks.length - 1 ? unit : { ...unit, symbol: '' },
                  digits,
                )}
          </text>
        </g>
      ))}
    </g>
  );
};
