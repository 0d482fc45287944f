import { Icon } from '../components/Icon.tsx';
import type { Chip } from './filterFields.ts';
import './filters.css';

interface FilterChipsProps {
  readonly chips: readonly Chip[];
  readonly remove: (name: string) => void;
}

/** The filters that apply. Each is removed with one click. */
export const FilterChips = ({ chips, remove }: FilterChipsProps) => {
  if (chips.length === 0) return null;
  return (
    <ul className="chips" aria-label="Filters">
      {chips.map(({ name, label, text }) => (
        <li key={name}>
          <button
            type="button"
            className="chip"
            onClick={() => remove(name)}
            aria-label={`Remove the filter ${label} ${text}`}
          >
            <span>
              {label}: <strong>{text}</strong>
            </span>
            <Icon name="close" size={12} />
          </button>
        </li>
      ))}
    </ul>
  );
};
