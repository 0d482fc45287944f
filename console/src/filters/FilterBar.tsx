import { type KeyboardEvent, useId, useState } from 'react';
import { FilterChips } from './FilterChips.tsx';
import { type Chip, type FilterField, type Suggestion, suggestionsFor } from './filterFields.ts';
import './filters.css';

interface FilterBarProps {
  readonly fields: readonly FilterField[];
  /** The filters that apply. */
  readonly chips: readonly Chip[];
  readonly add: (name: string, value: string) => void;
  readonly remove: (name: string) => void;
  /** Called when the bar is used for the first time: values can be read then. */
  readonly onOpen?: () => void;
}

/** Filters as chips, and a field that suggests further ones (the combobox pattern of WAI-ARIA). */
export const FilterBar = ({ fields, chips, add, remove, onOpen }: FilterBarProps) => {
  const id = useId();
  const [query, setQuery] = useState('');
  const [isOpen, setOpen] = useState(false);
  const [active, setActive] = useState(0);
  const suggestions = isOpen ? suggestionsFor(fields, query) : [];
  const optionOf = (index: number): string => `${id}-${index}`;
  const open = (): void => {
    onOpen?.();
    setOpen(true);
  };
  const choose = ({ name, value }: Suggestion): void => {
    add(name, value);
    setQuery('');
    setActive(0);
    setOpen(false);
  };
  const press = (event: KeyboardEvent): void => {
    const { key } = event;
    const chosen = suggestions[active];
    const last = chips.at(-1);
    if (key === 'Enter' && chosen !== undefined) choose(chosen);
    else if (key === 'Escape' && isOpen) setOpen(false);
    else if (key === 'Backspace' && query === '' && last !== undefined) remove(last.name);
    else if (key === 'ArrowDown' || key === 'ArrowUp') {
      if (!isOpen) open();
      else if (suggestions.length > 0)
        setActive((active + (key === 'ArrowDown' ? 1 : suggestions.length - 1)) % suggestions.length);
    } else return;
    event.preventDefault();
  };
  return (
    <div className="filter-bar">
      <FilterChips chips={chips} remove={remove} />
      <div className="combo">
        <input
          type="text"
          role="combobox"
          aria-label="Add a filter"
          aria-expanded={suggestions.length > 0}
          aria-controls={id}
          aria-autocomplete="list"
          aria-activedescendant={suggestions.length > 0 ? optionOf(active) : undefined}
          autoComplete="off"
          spellCheck={false}
          placeholder={`Filter by ${fields
            .slice(0, 3)
            .map(({ label }) => label.toLowerCase())
            .join(', ')} …`}
          value={query}
          onChange={({ target }) => {
            setQuery(target.value);
            setActive(0);
            open();
          }}
          onClick={open}
          onFocus={() => onOpen?.()}
          onBlur={() => setOpen(false)}
          onKeyDown={press}
        />
        <div
          id={id}
          role="listbox"
          aria-label="Filters to add"
          tabIndex={-1}
          hidden={suggestions.length === 0}
        >
          {suggestions.map((suggestion, index) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the focus and takes the keys.
            <div
              key={`${suggestion.name} ${suggestion.value}`}
              id={optionOf(index)}
              role="option"
              aria-selected={index === active}
              tabIndex={-1}
              // The field keeps the focus.
              onPointerDown={(event) => event.preventDefault()}
              onPointerEnter={() => setActive(index)}
              onClick={() => choose(suggestion)}
            >
              <span className="quiet">{suggestion.label}</span> {suggestion.text}
            </div>
          ))}
        </div>
        <span className="visually-hidden" role="status">
          {isOpen && suggestions.length === 0 ? 'No filter matches' : ''}
        </span>
      </div>
    </div>
  );
};
