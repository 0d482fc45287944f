import { type Dimension, nameOfDimension, nameOfValue } from '../../charts/usage.ts';
import { Icon } from '../../components/Icon.tsx';
import './explore.css';

interface FilterChipsProps {
  readonly filters: ReadonlyMap<Dimension, string>;
  readonly remove: (dimension: Dimension) => void;
}

/** The chosen values. Each is removed with one click. */
export const FilterChips = ({ filters, remove }: FilterChipsProps) => {
  if (filters.size === 0) return null;
  return (
    <ul className="chips" aria-label="Filters">
      {[...filters].map(([dimension, value]) => (
        <li key={dimension}>
          <button
            type="button"
            className="chip"
            onClick={() => remove(dimension)}
            aria-label={`Remove the filter ${nameOfDimension(dimension)} ${value}`}
          >
            {nameOfDimension(dimension)}: <strong>{nameOfValue(dimension, value)}</strong>
            <Icon name="close" size={12} />
          </button>
        </li>
      ))}
    </ul>
  );
};
