import { formatAmount, type Measure } from '../format/amount.ts';
import type { Series } from './series.ts';
import { Swatch } from './Textures.tsx';

export const Legend = ({ series, measure }: { series: readonly Series[]; measure: Measure }) => (
  <ul className="keys">
    {series.map((each) => (
      <li key={each.key}>
        <Swatch of={each} />
        <span className="cut">{each.label}</span>
        <span className="quiet num">{formatAmount(each.total, measure)}</span>
      </li>
    ))}
  </ul>
);
